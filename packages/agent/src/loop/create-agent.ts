/** The agent of a person: the main thread of a session, one turn at a time, woken by news and stopped by an interrupt. */
import { setMaxListeners } from 'node:events';
import type { Fold, Id, PromptInput, Session } from '@sidenote/engine';
import type { Agent, AgentOptions, SessionEnding, SessionSource } from './agent.js';
import { compact } from './compact.js';
import { AgentBusyError } from './errors.js';
import type { AgentEvent } from './events.js';
import { startHooks, type RunningHooks } from './hooks.js';
import { runTurn } from './turn.js';

/** An agent over an open session. */
export function createAgent(options: AgentOptions): Agent {
  return new LoopingAgent(options);
}

const MOST_WOKEN = 8;
const WOKEN =
  'Nothing was typed: something that ran in the background has news. Go on if it matters to the task, else say so in a few words.';

/** Fold: turns in a row that no person's words opened. */
const wokenFold: Fold<{ turns: number }> = {
  name: 'woken-turns',
  scope: 'chain',
  on: ['user'],
  initial: () => ({ turns: 0 }),
  step: (state, record) => {
    if (record.type !== 'user') return state;
    return record.origin === 'task' ? { turns: state.turns + 1 } : record.origin === 'human' ? { turns: 0 } : state;
  },
};

/** Identity: the one turn that may run. */
class LoopingAgent implements Agent {
  readonly session: Session;
  readonly #options: AgentOptions;
  /** The hooks of the start, until a turn has taken what they say. */
  #starting: RunningHooks | undefined;
  #running: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;

  constructor(options: AgentOptions) {
    this.session = options.session;
    this.#options = options;
  }

  get permissions(): AgentOptions['permissions'] {
    return this.#options.permissions;
  }

  start(source: SessionSource): void {
    const { hooks } = this.#options;
    if (hooks !== undefined) this.#starting = startHooks(hooks, { event: 'SessionStart', subject: source, fields: { source } });
  }

  async end(why: SessionEnding): Promise<readonly string[]> {
    const outcome = await this.#options.hooks?.run({ event: 'SessionEnd', subject: why, fields: { reason: why } });
    return (outcome?.notes ?? []).flatMap(({ level, text }) => (level === 'warning' ? [text] : []));
  }

  async *run(input: PromptInput | string): AsyncGenerator<AgentEvent, void, void> {
    const starting = this.#starting;
    try {
      yield* this.#alone((signal) => runTurn(input, { ...this.#options, thread: this.session.main, starting }, signal));
    } finally {
      this.#starting = undefined;
    }
  }

  compact(wishes?: string): AsyncGenerator<AgentEvent, void, void> {
    const words = wishes === undefined ? [] : [wishes];
    return this.#alone((signal) => compact({ ...this.#options, thread: this.session.main, trigger: 'manual', wishes: words, signal }));
  }

  async *#alone(work: (signal: AbortSignal) => AsyncGenerator<AgentEvent, unknown, void>): AsyncGenerator<AgentEvent, void, void> {
    if (this.#running !== undefined) throw new AgentBusyError();
    const abort = new AbortController();
    // Everything that a turn does at the same time may listen: many are no leak, and Node would print a warning.
    setMaxListeners(0, abort.signal);
    let resolve: () => void = () => undefined;
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    this.#running = { abort, ended: promise };
    try {
      yield* work(abort.signal);
    } finally {
      this.#running = undefined;
      resolve();
    }
  }

  wake(): AsyncGenerator<AgentEvent, void, void> | null {
    const { pending, main } = this.session;
    if (this.#running !== undefined || !pending.some(({ wake }) => wake)) return null;
    if (main.transcript.read(wokenFold).turns >= MOST_WOKEN) return null;
    return this.run({ content: [{ type: 'text', text: WOKEN }], origin: 'task' });
  }

  steer(words: string): Promise<Id> {
    return this.session.main.steer(words);
  }

  async interrupt(why: string): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.abort.abort(why);
    await running.ended;
  }
}
