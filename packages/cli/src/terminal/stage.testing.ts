/** A screen on an agent that plays what a test says, and the pieces of such plays. */
import type { Agent, AgentEvent, Ask, AskPlan, AskQuestion, TurnResult } from '@sidenote/agent';
import type { BackgroundTask, ChainRecord, PromptInput, Todo, Usage } from '@sidenote/engine';
import { afterEach, expect, vi } from 'vitest';
import { joinedCommands, type PromptCommands } from '../commands/prompt-commands.js';
import type { Conversation } from '../conversation.js';
import { testQueue } from '../steering.testing.js';
import { pathMatches } from './path-matches.js';
import { runScreen } from './screen.js';
import { TestClock, TestScreen } from './screen.testing.js';
import { themeOf } from './theme.js';
import { createView } from './view.js';

export const usage: Usage = { input_tokens: 1_000, output_tokens: 500, cache_read_input_tokens: 18_500, cache_creation_input_tokens: 0 };
/** How a turn ended: well, unless the test says otherwise. */
export const turn = (over: Partial<TurnResult> = {}): TurnResult => ({
  reason: 'done',
  text: '',
  usage,
  steps: 1,
  durationMs: 1,
  apiMs: 1,
  usd: 0.1,
  denied: [],
  ...over,
});
export const edit = { id: 'c1', name: 'Edit', input: { file_path: 'a.ts', old_string: 'const one = 1;', new_string: 'const one = 2;' } };
export const answer = (text: string): AgentEvent => ({
  type: 'response-ended',
  message: { id: 'm', model: 'test-model', content: [{ type: 'text', text } as { type: string }], stop_reason: 'end_turn', usage },
});
/** An injection that can be looked up. */
export const record = {
  id: 'r1',
  type: 'attachment',
  kind: 'project_instructions',
  title: 'project instructions: 2 files',
  content: [{ type: 'text', text: 'Use tabs.\nNever spaces.' }],
} as unknown as ChainRecord;

/** What the agent of a test plays. */
export type Run = (input: string, ask: Ask) => AsyncGenerator<AgentEvent, void, void>;
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A screen on an agent that plays what the test says. */
export function stage(
  run: Run,
  options: {
    columns?: number;
    rows?: number;
    env?: Record<string, string>;
    window?: readonly ChainRecord[];
    head?: string;
    /** The person's editor. */
    edit?: (path: string) => Promise<undefined>;
    commands?: PromptCommands;
    /** Of the model; default: one. */
    price?: null;
    companion?: { readonly name: string; readonly figure: string };
    todos?: readonly Todo[];
    /** Work in the background. */
    tasks?: readonly BackgroundTask[];
    /** Told when the session is closed. */
    farewell?: string;
    /** Words that wait from before. */
    earlier?: readonly string[];
    /** Reads what was typed before, given what can be seen then. */
    history?: (screen: TestScreen) => Promise<readonly string[]>;
  } = {},
) {
  const screen = new TestScreen(options.columns ?? 80, options.rows ?? 24);
  const clock = new TestClock();
  const ending = new AbortController();
  const queue = testQueue();
  for (const words of options.earlier ?? []) void queue.thread.steer(words);
  const seen: (PromptInput | string)[] = [];
  const interrupted: string[] = [];
  const kept: string[] = [];
  const news: AsyncGenerator<AgentEvent, void, void>[] = [];
  const told: string[] = [];
  let tellNews = (): void => {};
  let notice = (_line: string): void => {};
  let asksPlan: AskPlan | undefined;
  let asksQuestion: AskQuestion | undefined;
  let mode = 'default';
  const theme = themeOf(options.env ?? {});
  const conversation = (ask: Ask): Conversation => {
    const session = {
      id: 's',
      notes: [],
      main: Object.assign(queue.thread, {
        fullness: { tokens: 0, by: 'estimated', first: null, compacted: false },
        transcript: { head: options.head ?? null, window: options.window ?? [], read: () => ({ models: new Map(), value: options.todos }) },
      }),
    };
    const agent = {
      session,
      permissions: {
        get mode() {
          return mode;
        },
      },
      run: (input: PromptInput) => {
        seen.push(input);
        queue.prompted(input);
        return run(input.content.map((block) => ('text' in block ? block.text : '')).join('|'), ask);
      },
      compact: (wishes: string) => run(`compact ${wishes}`, ask),
      wake: () => news.splice(0, 1)[0] ?? null,
      interrupt: async (why: string) => void interrupted.push(why),
    } as unknown as Agent;
    return {
      agent,
      session,
      model: 'test-model',
      profile: { window: 200_000, price: options.price === undefined ? {} : options.price },
      spent: { models: new Map() },
      compactsAt: null,
      companion: options.companion,
      background: { list: () => options.tasks ?? [], stop: async () => false, output: async () => undefined },
      cwd: '/tmp',
      commands: options.commands ?? joinedCommands([]),
      setMode: async (next: string) => {
        mode = next;
      },
      close: async () => {
        if (options.farewell !== undefined) notice(options.farewell);
      },
    } as unknown as Conversation;
  };
  const ended = runScreen({
    view: (hooks) =>
      createView({
        ...hooks,
        screen,
        theme,
        cwd: '/tmp',
        commands: async () => [{ name: 'help', description: 'this list' }],
        mentionable: async (typed) => pathMatches(['src/split.js', 'src/a b.js', 'src/\u001b[35mspell.js', 'src/spl\nit.js'], typed),
      }),
    theme,
    clock,
    signal: ending.signal,
    edit: async (path) => options.edit?.(path),
    told: (line) => void told.push(line),
    cwd: '/tmp',
    folder: '~/project',
    greeting: 'Sidenote',
    history: { load: async () => (await options.history?.(screen)) ?? ['older words'], add: async (words) => void kept.push(words) },
    open: async ({ ask, askPlan, askQuestion, news: hasNews, notice: tells }) => {
      tellNews = hasNews;
      notice = tells;
      asksPlan = askPlan;
      asksQuestion = askQuestion;
      return conversation(ask);
    },
  });
  open.push(() => ending.abort('SIGTERM'));
  const shows = (words: string) => vi.waitFor(() => expect(screen.text()).toContain(words));
  return {
    screen,
    clock,
    /** A tool puts a plan before the person. */
    askPlan: async (...asked: Parameters<AskPlan>) => asksPlan?.(...asked),
    /** A tool asks the person. */
    askQuestion: async (...asked: Parameters<AskQuestion>) => asksQuestion?.(...asked),
    ended,
    shows,
    queue,
    seen,
    interrupted,
    kept,
    /** Lines for the person after the screen was gone. */
    told,
    /** Background work has news, and the agent answers with `events`. */
    wakes(events: AsyncGenerator<AgentEvent, void, void>) {
      news.push(events);
      tellNews();
    },
    hides: (words: string) => vi.waitFor(() => expect(screen.text()).not.toContain(words)),
  };
}

/** Context, an answer and an edit. */
export const simple: Run = async function* () {
  yield { type: 'attachment-injected', kind: 'project_instructions', title: 'project instructions: 2 files' };
  yield { type: 'attachment-injected', kind: 'git_snapshot', title: 'git snapshot' };
  yield { type: 'response-started', usage };
  yield { type: 'text-delta', text: '# Plan\n\nI change **one** ' };
  yield { type: 'text-delta', text: 'line.' };
  yield answer('# Plan\n\nI change **one** line.');
  yield { type: 'tool-started', call: edit, title: 'Edit a.ts' };
  yield {
    type: 'tool-ended',
    call: edit,
    outcome: { content: [], display: { hunks: ['@@ -1 +1 @@\n-const one = 1;\n+const one = 2;\n'] } },
  };
  yield { type: 'turn-ended', result: turn() };
};
