/** Print mode on an agent that plays what a test says, and the pieces of such plays. */
import type { Agent, AgentEvent, TurnResult } from '@sidenote/agent';
import type { PromptInput, Usage } from '@sidenote/engine';
import { joinedCommands } from '../commands/prompt-commands.js';
import type { Conversation } from '../conversation.js';
import { parseFlags, type Flags } from '../flags/parse.js';
import type { Io } from '../io.js';
import { testQueue } from '../steering.testing.js';
import { print } from './print.js';

export const usage: Usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: null };
export const turn = (over: Partial<TurnResult> = {}): TurnResult => ({
  reason: 'done',
  text: 'all good',
  usage,
  steps: 2,
  durationMs: 12.4,
  apiMs: 8,
  usd: 0.5,
  denied: [],
  ...over,
});
export const call = { id: 'toolu_1', name: 'Bash', input: { command: 'ls' } };
const message = { id: 'msg_1', model: 'm', content: [{ type: 'text', text: 'all good' }], stop_reason: 'end_turn', usage };
export const events: readonly AgentEvent[] = [
  { type: 'attachment-injected', kind: 'project_instructions', title: 'project instructions: 2 files' },
  { type: 'attachment-reported', collected: { kind: 'git_snapshot', outcome: 'late', ms: 200, why: 'git took too long' } },
  { type: 'response-started', usage },
  { type: 'thinking-delta', text: 'hm' },
  { type: 'text-delta', text: 'all ' },
  { type: 'text-delta', text: 'good' },
  { type: 'response-ended', message },
  { type: 'tool-started', call, title: 'Bash ls' },
  { type: 'tool-ended', call, outcome: { content: [{ type: 'text', text: 'a.ts' }] } },
  { type: 'attachment-reported', collected: { kind: 'git_snapshot', outcome: 'late', ms: 200, why: 'git took too long' } },
];

type Script = { readonly run: (input: PromptInput | string, stage: Stage) => AsyncGenerator<AgentEvent, void, void> };
type Stage = { readonly queue: ReturnType<typeof testQueue>; interrupted: string | undefined; readonly seen: (PromptInput | string)[] };

/** An agent that plays events, on a conversation that counts its sessions. */
export function stage(
  script: Script['run'] = async function* () {
    yield* events;
    yield { type: 'turn-ended', result: turn() };
  },
) {
  const state: Stage = { queue: testQueue(), interrupted: undefined, seen: [] };
  const agent = {
    permissions: { mode: 'default' },
    run: (input: PromptInput | string) => {
      state.seen.push(input);
      state.queue.prompted(input);
      return script(input, state);
    },
    interrupt: async (why: string) => {
      state.interrupted = why;
    },
  } as unknown as Agent;
  let number = 1;
  const conversation = {
    agent,
    get session() {
      return { id: `session-${number}`, notes: [], main: state.queue.thread };
    },
    model: 'test-model',
    cwd: '/w',
    tools: ['Bash'],
    background: { list: () => [] },
    asidesUsd: 0,
    commands: joinedCommands([{ list: async () => [{ name: 'fix', summary: 'mends', isSkill: true }], run: async () => undefined }]),
    styles: { current: async () => ({ name: 'Plain' }) },
    keySource: 'none',
    renew: async () => void number++,
    close: async () => {},
  } as unknown as Conversation;
  return { state, open: async () => conversation };
}

export async function* chunks(parts: Iterable<string>): AsyncGenerator<string, void, void> {
  yield* parts;
}

/** Print mode in this process: `run` once, then look at what it wrote. */
export function printing(args: readonly string[], stdin: AsyncIterable<string> = chunks([])) {
  const ending = new AbortController();
  let out = '';
  let err = '';
  const io: Io = {
    args,
    env: {},
    cwd: '/w',
    home: '/h',
    stdin,
    signal: ending.signal,
    stdout: {
      write: (text) => {
        out += text;
      },
    },
    stderr: {
      write: (text) => {
        err += text;
      },
    },
  };
  return {
    io,
    end: (reason: string) => ending.abort(reason),
    run: (open: () => Promise<Conversation>, more: Partial<Flags> = {}) => print(io, { ...parseFlags(args), ...more }, open),
    get out() {
      return out;
    },
    get err() {
      return err;
    },
    get lines(): Record<string, unknown>[] {
      return out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
  };
}
export const typesOf = (lines: readonly Record<string, unknown>[]) =>
  lines.map(({ type, subtype }) => (subtype === undefined ? type : `${type}/${subtype}`));
export const user = (content: unknown) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
export const STREAM = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
