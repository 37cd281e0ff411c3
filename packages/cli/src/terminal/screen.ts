/** The interactive session: keys and words in, turns and commands run, everything shown. */
import { readFile } from 'node:fs/promises';
import type { Agent, AgentEvent, Ask, AskPlan, Mode, PlanQuestion } from '@sidenote/agent';
import { todosFold, type Content, type Id } from '@sidenote/engine';
import type { Choose } from '../assemble/first-questions.js';
import { COMMAND_NAMES, runCommand, typedCommand, type Typed } from '../commands/registry.js';
import { runShell, shellNote, type Ran } from '../commands/shell.js';
import { failureText } from '../failure-text.js';
import type { Conversation } from '../conversation.js';
import { spentUsd } from '../spending.js';
import { steering, type Rest, type Steering } from '../steering.js';
import { choiceContent } from './choice-content.js';
import type { ScreenClock } from './clock.js';
import { createDialog } from './dialog.js';
import type { History } from './history.js';
import { showPast } from './past-view.js';
import { permissionContent } from './permission-content.js';
import { planContent } from './plan-content.js';
import { queueLines } from './queue-lines.js';
import { restingLines } from './resting-line.js';
import { statusLine, workingLine, type Status } from './status-lines.js';
import type { Theme } from './theme.js';
import { todoStrip } from './todo-strip.js';
import { transcriptView } from './transcript-view.js';
import { turnView, type TurnView } from './turn-view.js';
import type { Key, View } from './view.js';

/** Milliseconds within which the second ctrl+c ends the session. */
const TWICE = 2_000;
/** Milliseconds between two pictures of the working line. */
const FRAME = 250;
/** What shift+tab goes through; the mode that the session was opened in comes last where it is none of these. */
const MODES: readonly Mode[] = ['default', 'acceptEdits', 'plan', 'auto'];
/** Commands that may not run while the agent works. */
const IDLE_ONLY: readonly string[] = ['new', 'clear', 'compact', 'resume', 'model', 'memory'];

export type ScreenOptions = {
  view(hooks: { submit(words: string): void; key(key: Key): boolean }): View;
  readonly theme: Theme;
  readonly clock: ScreenClock;
  readonly history: History;
  /** Opens the session. The screen stands before, and words typed meanwhile wait. */
  open(hooks: {
    readonly ask: Ask;
    readonly askPlan: AskPlan;
    readonly choose: Choose;
    notice(line: string): void;
    insert(words: string): void;
    news(): void;
  }): Promise<Conversation>;
  /** Gives the terminal to an editor. Resolves with what went wrong, if something did. */
  edit(path: string): Promise<string | undefined>;
  /** Shown first. */
  readonly greeting: string;
  readonly prompt?: string | undefined;
  /** Aborted from outside: the session ends. */
  readonly signal: AbortSignal;
  readonly cwd: string;
  /** The working directory as it is shown. */
  readonly folder: string;
};

/**
 * Runs until the person leaves. Gives the id of the session that was left; undefined when nothing was said in it.
 * Rejects when the session could not be opened.
 */
export async function runScreen(options: ScreenOptions): Promise<Id | undefined> {
  const { theme, clock, cwd } = options;
  const view: View = options.view({ submit, key });
  const transcript = transcriptView(view, theme);
  const dialog = createDialog({ view, theme, clock });
  const expanded = (): boolean => transcript.expanded;
  const ending = new AbortController();
  const said = new Set<string>();
  let end = (): void => {};
  const left = new Promise<void>((resolve) => {
    end = resolve;
  });
  let conversation: Conversation | undefined;
  let turn: TurnView | undefined;
  let shell: AbortController | undefined;
  let used = 0;
  let hint: string | undefined;
  let forget = (): void => {};
  let lastInterrupt = Number.NEGATIVE_INFINITY;
  let waiting: string[] = options.prompt === undefined ? [] : [options.prompt];
  let steer: Steering | undefined;
  let opened: Mode | undefined;
  let changing: Promise<void> = Promise.resolve();
  let ran: Ran[] = [];

  view.above((width) => [
    ...dialog.lines(width),
    ...queueLines(steer?.waiting ?? [], width, theme),
    ...(turn === undefined
      ? restingLines({ todos: todos(), running: running() }, width, theme)
      : [...todoStrip(todos(), width, theme), workingLine(turn.working, width, theme)]),
  ]);
  view.below((width) => [statusLine(status(), width, theme)]);
  transcript.plain(options.greeting);
  for (const words of await options.history.load()) view.remember(words);
  view.start();
  options.signal.addEventListener('abort', end, { once: true });

  const todos = () => conversation?.session.main.transcript.read(todosFold).value ?? [];
  const running = () => conversation?.background.list().filter(({ state }) => state === 'running').length ?? 0;

  function status(): Status {
    const about = { folder: options.folder, ...(hint === undefined ? {} : { hint }) };
    if (conversation === undefined) return { ...about, mode: 'default', model: 'opening…', used: 0, window: 0, compactsAt: null, usd: 0 };
    const { agent, model, profile, companion, compactsAt } = conversation;
    const usd = spentUsd(conversation.spent);
    const beside = companion === undefined ? {} : { companion };
    const fill = { used: turn?.used ?? used, window: profile.window, compactsAt };
    return { ...about, ...beside, ...fill, mode: agent.permissions.mode, model, usd };
  }

  function flash(words: string): void {
    forget();
    hint = words;
    forget = clock.after(TWICE, () => {
      hint = undefined;
      view.refresh();
    });
    view.refresh();
  }

  function key(pressed: Key): boolean {
    const { name } = pressed;
    if (name === 'escape' && view.completing) return false;
    if (name === 'escape' && dialog.open) {
      dialog.key(pressed);
      interrupt();
      return true;
    }
    if (name !== 'ctrl+c' && name !== 'ctrl+o' && name !== 'shift+tab' && dialog.key(pressed)) return true;
    switch (name) {
      case 'ctrl+c': {
        const again = clock.now() - lastInterrupt < TWICE;
        lastInterrupt = clock.now();
        if (again) end();
        else if (turn !== undefined || shell !== undefined) interrupt();
        else view.draft = '';
        if (!again) flash('ctrl+c again to exit');
        return true;
      }
      case 'ctrl+d':
        if (view.draft !== '') return false;
        end();
        return true;
      case 'escape':
        if (steer !== undefined && steer.waiting.length > 0) {
          void takeBack(steer).catch(failed);
          return true;
        }
        if (turn === undefined && shell === undefined) return false;
        interrupt();
        return true;
      case 'ctrl+o':
        transcript.toggle();
        return true;
      case 'ctrl+l':
        view.refresh('all');
        return true;
      case 'shift+tab':
        if (conversation !== undefined && !dialog.open) nextMode(conversation);
        return true;
      default:
        return false;
    }
  }

  /** Words that wait stand in the editor again, before what is being typed. */
  async function takeBack(from: Steering): Promise<void> {
    const words = await from.takeBack();
    view.draft = [...words, view.draft].filter((part) => part !== '').join('\n\n');
    view.refresh();
  }

  /** One change after the other, however fast the keys come. */
  function nextMode(current: Conversation): void {
    changing = changing
      .then(async () => {
        const all = opened === undefined || MODES.includes(opened) ? MODES : [...MODES, opened];
        await current.setMode(all[(all.indexOf(current.agent.permissions.mode) + 1) % all.length] ?? 'default');
        view.refresh();
      })
      .catch(failed);
  }

  function interrupt(): void {
    shell?.abort();
    if (turn !== undefined) void conversation?.agent.interrupt('the person interrupted').catch(failed);
  }

  function failed(error: unknown): void {
    transcript.notice(failureText(error), 'error');
  }

  function submit(typed: string): void {
    const words = typed.trim();
    if (dialog.submit(words) || words === '') return;
    view.remember(words);
    void options.history.add(words);
    if (conversation === undefined) waiting.push(words);
    else dispatch(conversation, words);
  }

  function dispatch(current: Conversation, words: string): void {
    const busy = turn !== undefined || shell !== undefined;
    const command = typedCommand(words);
    if (command !== undefined) {
      if (busy && (IDLE_ONLY.includes(command.name) || !COMMAND_NAMES.includes(command.name)))
        flash(`/${command.name} has to wait: esc interrupts`);
      else void runTyped(current, command, words).catch(failed);
    } else if (words.startsWith('!') && words.length > 1) {
      if (busy) flash('a command has to wait: esc interrupts');
      else void runBang(current, words.slice(1).trim()).catch(failed);
    } else if (turn !== undefined && steer !== undefined) {
      steer.add(words);
    } else void runTurn(current.agent, words).catch(failed);
    view.refresh();
  }

  async function runTyped(current: Conversation, command: Typed, words: string): Promise<void> {
    transcript.prompt(words);
    const working = new AbortController();
    if (!COMMAND_NAMES.includes(command.name)) shell = working;
    const outcome = await runCommand(command, { conversation: current, width: view.width, signal: working.signal }).finally(() => {
      if (shell === working) shell = undefined;
    });
    if (outcome.type === 'exit') end();
    else if (outcome.type === 'refused') transcript.notice(outcome.text, 'warning');
    else if (outcome.type === 'text') transcript.plain(outcome.text);
    else if (outcome.type === 'prompt') await say(current.agent, outcome);
    else if (outcome.type === 'edit') await edit(outcome.path);
    else if (outcome.type === 'compact') await follow(current.agent, current.agent.compact(outcome.wishes));
    else {
      transcript.clear();
      said.clear();
      ran = [];
      welcome(current);
    }
  }

  /** Nothing is drawn while the editor has the terminal. */
  async function edit(path: string): Promise<void> {
    await view.stop();
    const failure = await options.edit(path);
    view.start();
    view.refresh('all');
    if (failure !== undefined) transcript.notice(failure, 'error');
  }

  async function editPlan({ file, plan: before }: PlanQuestion): Promise<string> {
    await edit(file);
    return readFile(file, 'utf8').catch(() => before);
  }

  async function runBang(current: Conversation, command: string): Promise<void> {
    shell = new AbortController();
    const block = transcript.tool(`! ${command}`);
    try {
      const done = await runShell(command, { cwd: current.cwd, signal: shell.signal });
      ran.push(done);
      const text = `${done.output.trimEnd()}${done.status === 'exit 0' ? '' : `\n(${done.status})`}`;
      block.update({ type: 'ended', outcome: { content: [{ type: 'text', text }], isError: done.status !== 'exit 0' } });
    } finally {
      shell = undefined;
    }
    wake();
  }

  async function runTurn(agent: Agent, words: string): Promise<void> {
    transcript.prompt(words);
    await say(agent, { content: [{ type: 'text', text: words }], own: [words] });
  }

  /** Output of commands goes along; what it mentions is not the person's word. Words of a command wait like others while the agent works. */
  async function say(
    agent: Agent,
    { content, own }: { readonly content: readonly Content[]; readonly own: readonly string[] },
  ): Promise<void> {
    if (turn !== undefined && steer !== undefined) {
      for (const block of content) if (block.type === 'text') steer.add(block.text);
      return;
    }
    const whole = [...shellNote(ran), ...content];
    ran = [];
    await follow(agent, agent.run({ content: whole, own }));
  }

  /** News from the background opens a turn of its own, as soon as nothing else runs. */
  function wake(): void {
    if (conversation === undefined || turn !== undefined || shell !== undefined) return;
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
      rest = await steer?.rest();
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
    for (const words of steer?.delivered() ?? []) transcript.prompt(words);
  }

  function tick(): void {
    if (turn === undefined) return;
    view.refresh();
    clock.after(FRAME, tick);
  }

  function welcome(current: Conversation): void {
    const { main } = current.session;
    steer = steering(main, { failed, earlier: main.steered });
    for (const note of current.session.notes) transcript.notice(note, 'warning');
    const { window } = current.session.main.transcript;
    showPast(window, { transcript, cwd });
    used = window.length === 0 ? 0 : current.session.main.fullness.tokens;
  }

  try {
    void left.then(() => ending.abort());
    conversation = await options.open({
      ask: (request, signal) => dialog.ask(permissionContent(request, { theme, cwd, expanded }), signal),
      askPlan: (question, signal) => dialog.ask(planContent(question, { theme, expanded, edit: editPlan }), signal),
      choose: (question) => dialog.ask(choiceContent(question, theme), ending.signal),
      notice: (line) => transcript.notice(line, 'warning'),
      insert: (words) => {
        view.draft += `${view.draft === '' || /\s$/.test(view.draft) ? '' : ' '}${words} `;
      },
      news: wake,
    });
    opened = conversation.agent.permissions.mode;
    welcome(conversation);
    view.refresh();
    const typed = waiting;
    waiting = [];
    for (const words of typed) dispatch(conversation, words);
    await left;
    if (turn !== undefined) await conversation.agent.interrupt('the session ended');
    const { session } = conversation;
    return session.main.transcript.head === null ? undefined : session.id;
  } finally {
    forget();
    shell?.abort();
    options.signal.removeEventListener('abort', end);
    await view.stop();
    await conversation?.close();
  }
}
