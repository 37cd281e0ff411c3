/** What runs in an interactive session, one thing at a time: turns, slash commands, and commands behind `!`. */
import type { Agent, AgentEvent } from '@sidenote/agent';
import type { Content } from '@sidenote/engine';
import { COMMAND_NAMES, runCommand, typedCommand, type Typed } from '../commands/registry.js';
import { runShell, shellNote, type Ran } from '../commands/shell.js';
import type { Conversation } from '../conversation.js';
import { steering, type Rest, type Steering } from '../steering.js';
import type { ScreenClock } from './clock.js';
import { showPast } from './past-view.js';
import type { Working } from './status-lines.js';
import type { TranscriptView } from './transcript-view.js';
import { turnView, type TurnView } from './turn-view.js';
import type { View } from './view.js';

/** Milliseconds between two pictures of the working line. */
const FRAME = 250;
/** Commands that may not run while the agent works. */
const IDLE_ONLY: readonly string[] = ['new', 'clear', 'compact', 'resume', 'model', 'memory'];

export type WorkOptions = {
  readonly view: View;
  readonly transcript: TranscriptView;
  readonly clock: ScreenClock;
  /** Says for a moment why something has to wait. */
  flash(words: string): void;
  /** Gives the terminal to an editor for a while. */
  edit(path: string): Promise<void>;
  failed(error: unknown): void;
  /** The person leaves. */
  leave(): void;
};

export interface Work {
  /** A turn, or a command that can be interrupted. */
  readonly busy: boolean;
  /** What the agent does; undefined while no turn runs. */
  readonly working: Working | undefined;
  /** Tokens in the window, as far as is known; 0 before the first answer. */
  readonly used: number;
  /** Words that wait for the agent. */
  readonly waiting: readonly string[];
  /** Runs what was typed, steers it into the running turn, or says why it has to wait. */
  take(words: string): void;
  /** The words that wait, which then wait no more. */
  takeBack(): Promise<readonly string[]>;
  /** News from the background opens a turn of its own, as soon as nothing else runs. */
  wake(): void;
  interrupt(): void;
  /** Resolves once nothing runs any more. */
  end(): Promise<void>;
}

/** Shows what the conversation holds, and takes words for it. */
export function startWork(conversation: Conversation, options: WorkOptions): Work {
  const { view, transcript, clock, flash, failed } = options;
  const { cwd } = conversation;
  const said = new Set<string>();
  let turn: TurnView | undefined;
  let shell: AbortController | undefined;
  let used = 0;
  let ran: Ran[] = [];
  let steer: Steering = welcome();

  /** The session that is new, or was before. */
  function welcome(): Steering {
    const { main, notes } = conversation.session;
    for (const note of notes) transcript.notice(note, 'warning');
    const { window } = main.transcript;
    showPast(window, { transcript, cwd });
    used = window.length === 0 ? 0 : main.fullness.tokens;
    return steering(main, { failed, earlier: main.steered });
  }

  const busy = (): boolean => turn !== undefined || shell !== undefined;

  function take(words: string): void {
    const command = typedCommand(words);
    if (command !== undefined) {
      if (busy() && (IDLE_ONLY.includes(command.name) || !COMMAND_NAMES.includes(command.name)))
        flash(`/${command.name} has to wait: esc interrupts`);
      else void runTyped(command, words).catch(failed);
    } else if (words.startsWith('!') && words.length > 1) {
      if (busy()) flash('a command has to wait: esc interrupts');
      else void runBang(words.slice(1).trim()).catch(failed);
    } else if (turn !== undefined) {
      steer.add(words);
    } else void runTurn(words).catch(failed);
    view.refresh();
  }

  async function runTyped(command: Typed, words: string): Promise<void> {
    const { agent } = conversation;
    transcript.prompt(words);
    const working = new AbortController();
    if (!COMMAND_NAMES.includes(command.name)) shell = working;
    const outcome = await runCommand(command, { conversation, width: view.width, signal: working.signal }).finally(() => {
      if (shell === working) shell = undefined;
    });
    if (outcome.type === 'exit') return options.leave();
    if (outcome.type === 'refused') transcript.notice(outcome.text, 'warning');
    else if (outcome.type === 'text') transcript.plain(outcome.text);
    else if (outcome.type === 'prompt') await say(agent, outcome);
    else if (outcome.type === 'edit') await options.edit(outcome.path);
    else if (outcome.type === 'compact') await follow(agent, agent.compact(outcome.wishes));
    else {
      transcript.clear();
      said.clear();
      ran = [];
      steer = welcome();
    }
    wake();
  }

  async function runBang(command: string): Promise<void> {
    shell = new AbortController();
    const block = transcript.tool(`! ${command}`);
    try {
      const done = await runShell(command, { cwd, signal: shell.signal });
      ran.push(done);
      const text = `${done.output.trimEnd()}${done.status === 'exit 0' ? '' : `\n(${done.status})`}`;
      block.update({ type: 'ended', outcome: { content: [{ type: 'text', text }], isError: done.status !== 'exit 0' } });
    } finally {
      shell = undefined;
    }
    wake();
  }

  async function runTurn(words: string): Promise<void> {
    transcript.prompt(words);
    await say(conversation.agent, { content: [{ type: 'text', text: words }], own: [words] });
  }

  /** Output of commands goes along; what it mentions is not the person's word. Words of a command wait like others while the agent works. */
  async function say(
    agent: Agent,
    { content, own }: { readonly content: readonly Content[]; readonly own: readonly string[] },
  ): Promise<void> {
    if (turn !== undefined) {
      for (const block of content) if (block.type === 'text') steer.add(block.text);
      return;
    }
    const whole = [...shellNote(ran), ...content];
    ran = [];
    await follow(agent, agent.run({ content: whole, own }));
  }

  function wake(): void {
    if (busy()) return;
    const { agent } = conversation;
    const woken = agent.wake();
    if (woken !== null) void follow(agent, woken).catch(failed);
  }

  async function follow(agent: Agent, events: AsyncIterable<AgentEvent>): Promise<void> {
    const shown = turnView({ transcript, clock, said, cwd, records: () => agent.session.main.transcript.window });
    turn = shown;
    tick();
    let rest: Rest | undefined;
    try {
      for await (const event of events) {
        if (event.type === 'attachment-injected' && event.kind === 'queued_commands') delivered();
        shown.event(event);
        view.refresh();
      }
      delivered();
      rest = await steer.rest();
    } finally {
      turn = undefined;
      used = shown.used ?? used;
      view.refresh();
    }
    if (rest === undefined) wake();
    else await goOn(agent, rest);
  }

  /** What no message took along is the next prompt. */
  async function goOn(agent: Agent, { content, steered }: Rest): Promise<void> {
    for (const block of content) if (block.type === 'text') transcript.prompt(block.text);
    await follow(agent, agent.run({ content, steered }));
  }

  /** Words that a message has taken along are part of the conversation now. */
  function delivered(): void {
    for (const words of steer.delivered()) transcript.prompt(words);
  }

  function tick(): void {
    if (turn === undefined) return;
    view.refresh();
    clock.after(FRAME, tick);
  }

  return {
    get busy() {
      return busy();
    },
    get working() {
      return turn?.working;
    },
    get used() {
      return turn?.used ?? used;
    },
    get waiting() {
      return steer.waiting;
    },
    take,
    takeBack: () => steer.takeBack(),
    wake,
    interrupt() {
      shell?.abort();
      if (turn !== undefined) void conversation.agent.interrupt('the person interrupted').catch(failed);
    },
    async end() {
      shell?.abort();
      if (turn !== undefined) await conversation.agent.interrupt('the session ended');
    },
  };
}
