/** Runs the hooks of a session: all that match an event, side by side, each inside its limit. */
import { messageOf, type Json } from '@sidenote/engine';
import type { ConfiguredHook } from './read-hooks.js';
import type { HookCall, HookNote, HookOutcome, HookRunning, HookSaid } from './contract.js';
import { keepLongText, shortened } from './keep-long-text.js';
import { mergeOutcomes, NO_OUTCOME } from './merge-outcomes.js';
import { readAnswer } from './read-answer.js';
import { handlerName } from './read-handler.js';
import { runCommandHook, type HookRun, type RunOptions } from './run-command-hook.js';
import { runHttpHook } from './run-http-hook.js';
import { runMcpHook, type HookToolCall } from './run-mcp-hook.js';
import { runPromptHook, type HookJudge } from './run-prompt-hook.js';

export type HooksOptions = {
  readonly hooks: readonly ConfiguredHook[];
  /** Absolute. Commands run here. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Root of the project, for `CLAUDE_PROJECT_DIR` and `SIDENOTE_PROJECT_DIR`. */
  readonly projectDir: string;
  readonly session: { readonly id: string; /** Empty when nothing is kept. */ readonly transcriptPath: string };
  /** Where texts go that are too long to be told. */
  readonly folder: string;
  readonly permissionMode: () => string;
  /** Whether a call falls under a permission rule, for `if`. Default: every call does. */
  readonly meets?: (rule: string, call: HookCall) => Promise<boolean>;
  /** Asks the model that judges hooks of the type `prompt`. Default: they fail. */
  readonly judge?: HookJudge;
  /** The same for those of the type `agent`: it looks around before it answers. Default: they fail. */
  readonly examine?: HookJudge;
  /** For those of the type `mcp_tool`. Default: they fail. */
  readonly callTool?: HookToolCall;
  /** What hooks say for which nobody waited. `wake`: the hook asks for a turn. */
  readonly late: (outcome: HookOutcome, how: { readonly wake: boolean }) => void;
  /** Milliseconds after which a person is told what is waited for. Default 3,000. */
  readonly patienceMs?: number;
};

/** `cwd`: where its hooks run. Absolute; default: where those of the session do. */
export type HookAgent = { readonly id: string; readonly type: string; readonly cwd?: string };

export interface LocalHooks {
  /** Never rejects, and resolves when the last hook has ended or reached its limit. */
  run(call: HookCall, how?: HookRunning): Promise<HookOutcome>;
  /** The same beside the work: what is said comes by `late`. */
  post(call: HookCall): void;
  /** For a sub-agent: its hooks are told who it is. */
  forAgent(agent: HookAgent): LocalHooks;
  /** With further hooks behind them. */
  including(more: readonly ConfiguredHook[]): LocalHooks;
  /** Waits this long for what still runs beside the work, and ends it. */
  close(patienceMs: number): Promise<void>;
}

/** Nothing is run before an event happens. */
export function createHooks(options: HooksOptions): LocalHooks {
  return new HookRunner(options, { besides: new Set(), endings: new Set(), done: new Set() });
}

type Shared = {
  /** Hooks that nobody waits for, with what ends them. */
  readonly besides: Set<{ readonly abort: AbortController; readonly ended: Promise<void> }>;
  readonly endings: Set<Promise<void>>;
  /** Hooks that were to run once, and have. */
  readonly done: Set<string>;
};

/** Identity: the processes of one session's hooks. */
class HookRunner implements LocalHooks {
  readonly #options: HooksOptions;
  readonly #shared: Shared;
  readonly #agent: HookAgent | undefined;

  constructor(options: HooksOptions, shared: Shared, agent?: HookAgent) {
    this.#options = options;
    this.#shared = shared;
    this.#agent = agent;
  }

  get #cwd(): string {
    return this.#agent?.cwd ?? this.#options.cwd;
  }

  async run(given: HookCall, how: HookRunning = {}): Promise<HookOutcome> {
    // The end of an agent is matched by what kind of agent it is.
    const call = given.event === 'SubagentStop' && this.#agent !== undefined ? { ...given, subject: this.#agent.type } : given;
    const matching = this.#options.hooks.filter((hook) => hook.event === call.event && hook.matches(call.subject));
    if (matching.length === 0 || how.signal?.aborted === true) return NO_OUTCOME;
    try {
      const chosen = await this.#choose(matching, call);
      return mergeOutcomes(await Promise.all(chosen.map((hook) => this.#runOne(hook, call, how))));
    } catch (error) {
      return { ...NO_OUTCOME, notes: [{ level: 'warning', text: `hooks for ${call.event} could not be run: ${messageOf(error)}` }] };
    }
  }

  post(call: HookCall): void {
    this.#beside(async (signal) => this.#options.late(await this.run(call, { signal }), { wake: false }));
  }

  forAgent(agent: HookAgent): LocalHooks {
    return new HookRunner(this.#options, this.#shared, agent);
  }

  including(more: readonly ConfiguredHook[]): LocalHooks {
    return new HookRunner({ ...this.#options, hooks: [...this.#options.hooks, ...more] }, this.#shared, this.#agent);
  }

  async close(patienceMs: number): Promise<void> {
    const { besides, endings } = this.#shared;
    const ended = (): Promise<unknown> => Promise.all([...besides].map((one) => one.ended));
    if (besides.size > 0) await within(ended(), patienceMs);
    for (const { abort } of besides) abort.abort();
    // Each is left at once; only then is it known what has to be ended.
    await ended();
    await Promise.all(endings);
  }

  /** Identical handlers once, those that run once only the first time, and none whose condition the call does not meet. */
  async #choose(matching: readonly ConfiguredHook[], call: HookCall): Promise<readonly ConfiguredHook[]> {
    const distinct = [...new Map(matching.toReversed().map((hook) => [hook.handler.key, hook])).values()].toReversed();
    const { meets } = this.#options;
    const met = await Promise.all(
      distinct.map(({ handler: { condition } }) => condition === undefined || meets === undefined || meets(condition, call)),
    );
    return distinct.filter(({ handler }, index) => {
      if (met[index] !== true) return false;
      const key = `${call.event}\0${handler.key}`;
      if (handler.once && this.#shared.done.has(key)) return false;
      if (handler.once) this.#shared.done.add(key);
      return true;
    });
  }

  async #runOne(hook: ConfiguredHook, call: HookCall, how: HookRunning): Promise<HookOutcome> {
    const { handler } = hook;
    if (handler.beside === 'no') {
      const { patienceMs = 3_000 } = this.#options;
      const says = handler.status ?? `waiting for the hook ${call.event} (${handlerName(handler)}), at most ${handler.limitMs / 1_000} s`;
      const timer = how.waiting === undefined ? undefined : setTimeout(() => how.waiting?.(says), patienceMs);
      const { outcome } = await this.#ended(hook, call, how.signal);
      clearTimeout(timer);
      return outcome;
    }
    this.#beside(async (signal) => {
      const { run, outcome } = await this.#ended(hook, call, signal);
      const wake = handler.beside === 'wakes' && run.type === 'ended' && run.exit === 2;
      this.#options.late(outcome, { wake });
    });
    return NO_OUTCOME;
  }

  /** Never rejects: one hook that can't be run, or whose answer can't be read, takes nothing from the others. */
  async #ended(
    hook: ConfiguredHook,
    call: HookCall,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly run: HookRun; readonly outcome: HookOutcome }> {
    try {
      const run = await this.#execute(hook, call, signal);
      return { run, outcome: await this.#outcome(hook, call, run) };
    } catch (error) {
      const run = { type: 'failed', why: messageOf(error) } as const;
      return { run, outcome: await this.#outcome(hook, call, run) };
    }
  }

  #beside(work: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController();
    const { besides } = this.#shared;
    const entry = { abort, ended: work(abort.signal).finally(() => besides.delete(entry)) };
    besides.add(entry);
  }

  async #execute(hook: ConfiguredHook, call: HookCall, signal: AbortSignal | undefined): Promise<HookRun> {
    const { handler } = hook;
    const { env, projectDir } = this.#options;
    const options: Omit<RunOptions, 'handler'> = {
      input: JSON.stringify(this.#input(call)),
      cwd: this.#cwd,
      env: { ...env, CLAUDE_PROJECT_DIR: projectDir, SIDENOTE_PROJECT_DIR: projectDir },
      signal,
      ending: (done) => {
        const { endings } = this.#shared;
        const ended = done.catch(() => undefined).finally(() => endings.delete(ended));
        endings.add(ended);
      },
    };
    switch (handler.type) {
      case 'command':
        return runCommandHook({ ...options, handler });
      case 'http':
        return runHttpHook({ ...options, handler });
      case 'mcp_tool':
        return runMcpHook({ ...options, handler, callTool: this.#options.callTool });
      case 'prompt':
        return runPromptHook({ ...options, handler, judge: this.#options.judge });
      case 'agent':
        return runPromptHook({ ...options, handler, judge: this.#options.examine });
    }
  }

  #input({ event, fields }: HookCall): object {
    const { session, permissionMode } = this.#options;
    const agent = this.#agent === undefined ? {} : { agent_id: this.#agent.id, agent_type: this.#agent.type };
    const base = { session_id: session.id, transcript_path: session.transcriptPath, cwd: this.#cwd, permission_mode: permissionMode() };
    return { ...base, hook_event_name: event, ...agent, ...fields };
  }

  async #outcome({ handler }: ConfiguredHook, { event, subject }: HookCall, run: HookRun): Promise<HookOutcome> {
    const hook = subject === undefined ? event : `${event}:${subject}`;
    const answer = readAnswer(event, run, handler);
    const said = (text: string): Promise<HookSaid> => keepLongText({ event, hook, text }, this.#options.folder);
    const short = (text: string, most?: number): Promise<string> =>
      shortened({ event, hook, text }, { folder: this.#options.folder, ...(most === undefined ? {} : { most }) });
    const { block, stop, permission, input, output } = answer;
    return {
      texts: await Promise.all(answer.texts.map(async ({ kind, text }) => ({ ...(await said(text)), kind }))),
      blocks: block === undefined ? [] : [await said(block)],
      notes: answer.notes.map(({ level, text }): HookNote => ({ level, text: `the hook ${hook} (${handlerName(handler)}) ${text}` })),
      ...(stop === undefined ? {} : { stop: await said(stop) }),
      ...(permission === undefined ? {} : { permission: { ...permission, hook, reason: await short(permission.reason) } }),
      ...(input === undefined ? {} : { input }),
      ...(output === undefined ? {} : { output: await this.#fitting(output, short) }),
    };
  }

  /** A value of another kind goes out as its JSON. */
  async #fitting(output: Json, short: (text: string, most: number) => Promise<string>): Promise<Json> {
    const text = typeof output === 'string' ? output : JSON.stringify(output);
    return text.length <= MOST_OUTPUT ? output : short(text, MOST_OUTPUT);
  }
}

/** Characters of what a hook puts in place of a tool's output: what a server's tool may give. */
const MOST_OUTPUT = 100_000;

async function within(done: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([done, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
