/** Sub-agents to be tested: a session in memory, and a model that answers by what it is asked. */
import { builtInKinds, openSession, profileOf, type MessagesBody, type ModelAdapter, type Returned, type Session } from '@sidenote/engine';
import { answer, FakeClock, MemoryStore, say, testPorts } from '@sidenote/engine/testing';
import { createAgent } from '../loop/create-agent.js';
import { allowAll, tool, text } from '../loop/agent.testing.js';
import { agentTool, type AgentToolOptions } from './agent-tool.js';
import { builtInTypes, type AgentType } from './agent-type.js';
import type { SubagentOptions, Workplace } from './contract.js';
import { sendMessageTool } from './send-message-tool.js';
import { Subagents } from './subagents.js';

/** The blocks of an answer; a promise holds it back, and `begun` tells that it has begun. */
export type Model = (body: MessagesBody, signal: AbortSignal) => readonly Returned[] | Promise<readonly Returned[]>;

export type Bench = {
  readonly session: Session;
  readonly agent: ReturnType<typeof createAgent>;
  readonly agents: Subagents;
  readonly bodies: readonly MessagesBody[];
  /** How often a thread got something to be woken for. */
  readonly news: { count: number };
  readonly store: MemoryStore;
};

export async function bench(
  model: Model,
  more: Partial<SubagentOptions> &
    Pick<AgentToolOptions, 'team'> & { readonly extra?: readonly AgentType[]; readonly store?: MemoryStore; readonly resume?: string } = {},
): Promise<Bench> {
  const clock = new FakeClock();
  const bodies: MessagesBody[] = [];
  const news = { count: 0 };
  const adapter: ModelAdapter = {
    profile: profileOf('claude-opus-5-5'),
    async *stream(_plan, body, signal) {
      bodies.push(body);
      const blocks = model(body, signal);
      if (!(blocks instanceof Promise)) yield { type: 'response-started', usage: answer([]).usage };
      const whole = await blocks;
      if (signal.aborted) yield { type: 'response-failed', failure: { type: 'aborted', message: 'stopped' }, complete: [] };
      else yield { type: 'response-ended', message: answer(whole) };
    },
  };
  let session: Session | undefined;
  const open = (): Session => session as Session;
  const types = new Map([...builtInTypes, ...(more.extra ?? [])].map((type) => [type.name, type]));
  const place: Workplace = {
    cwd: '/w',
    tools: [],
    permissions: allowAll,
    ports: {},
    environment: (name) => ({ cwd: '/w', isRepository: false, platform: 'linux', osVersion: '1', shell: 'sh', model: name }),
  };
  const options: SubagentOptions = {
    session: open,
    types: async () => types,
    workplace: async () => ({ ...place, tools }),
    adapter: () => adapter,
    model: (name) => name,
    params: () => ({}),
    clock: clock.port(),
    cwd: '/w',
    home: '/h',
    env: {},
    outputDir: '/nowhere',
    worktrees: '/nowhere',
    news: () => void news.count++,
    ...more,
  };
  const agents = new Subagents(options);
  const tools = [
    tool('Read', 'read', async () => text('file text')),
    tool('Write', 'write', async () => text('written')),
    agentTool({ ...options, agents }),
    sendMessageTool({ ...options, agents }),
  ];
  const store = more.store ?? new MemoryStore();
  session = await openSession({
    model: 'claude-opus-5-5',
    tools: tools.map(({ spec }) => spec),
    system: 'You lead.',
    store,
    ports: testPorts(clock),
    kinds: builtInKinds,
    ...(more.resume === undefined ? {} : { resume: more.resume }),
  });
  const agent = createAgent({ session, adapter: () => adapter, tools, permissions: allowAll, clock: clock.port() });
  return { session, agent, agents, bodies, news, store };
}

export const isSub = (body: MessagesBody, mark: string): boolean => JSON.stringify(body.messages[0]).includes(mark);
export const done = [say('done')];
/** A promise that the test resolves. */
export function gate<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: (value) => resolve(value) };
}
