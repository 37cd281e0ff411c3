/** A loop to be tested: a model that answers from a list, a clock that is moved by hand. */
import {
  builtInKinds,
  openSession,
  profileOf,
  type AnyAttachmentKind,
  type MessagesBody,
  type ModelAdapter,
  type ModelEvent,
} from '@sidenote/engine';
import { answer, FakeClock, MemoryStore, say, testPorts } from '@sidenote/engine/testing';
import type { Permissions } from '../permissions/contract.js';
import type { AnyTool } from '../tools/tool.js';
import type { AgentOptions } from './agent.js';
import { createAgent } from './create-agent.js';
import type { AgentEvent } from './events.js';

export type Reply = (signal: AbortSignal) => AsyncIterable<ModelEvent>;

export const ended = (...blocks: Parameters<typeof answer>[0]): Reply =>
  async function* () {
    yield { type: 'response-started', usage: answer([]).usage };
    yield { type: 'response-ended', message: answer(blocks) };
  };
/** Streams a finished block, then waits for the interrupt. */
export const hangs = (complete: Parameters<typeof answer>[0]): Reply =>
  async function* (signal) {
    yield { type: 'response-started', usage: answer([]).usage };
    yield { type: 'text-delta', index: 0, text: 'half a' };
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    yield { type: 'response-failed', failure: { type: 'aborted', message: 'stopped' }, complete };
  };
export const fails = (failure: Extract<ModelEvent, { type: 'response-failed' }>['failure']): Reply =>
  async function* () {
    yield { type: 'response-failed', failure, complete: [] };
  };

export const allowAll: Permissions = {
  mode: 'bypassPermissions',
  judge: async () => ({ type: 'allow', why: 'test' }),
  allow: () => undefined,
};

export function tool(name: string, access: AnyTool['access'], run: AnyTool['run']): AnyTool {
  return {
    spec: { name, description: name, input_schema: { type: 'object' } },
    access,
    parse: (input) => ({ ok: true, input }),
    title: () => name,
    run,
  };
}
export const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

export async function setUp(
  replies: readonly Reply[],
  more: Partial<AgentOptions> = {},
  kinds: readonly AnyAttachmentKind[] = builtInKinds,
  off: Readonly<Record<string, string>> = {},
) {
  const clock = new FakeClock();
  const sent: MessagesBody[] = [];
  let next = 0;
  const adapter: ModelAdapter = {
    profile: profileOf('claude-opus-5-5'),
    stream: (_plan, body, signal) => {
      sent.push(body);
      return (replies[next++] ?? ended(say('done')))(signal);
    },
  };
  const tools = more.tools ?? [];
  const store = new MemoryStore();
  const session = await openSession({
    model: 'claude-opus-5-5',
    tools: tools.map(({ spec }) => spec),
    system: 'Test.',
    store,
    ports: testPorts(clock),
    kinds,
    off,
  });
  const agent = createAgent({
    session,
    adapter: () => adapter,
    tools,
    permissions: allowAll,
    clock: clock.port(),
    random: () => 0.5,
    ...more,
  });
  return { clock, sent, agent, session, store };
}

export async function drain(
  events: AsyncIterable<AgentEvent>,
  seen: (event: AgentEvent) => void = () => undefined,
): Promise<readonly AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) {
    all.push(event);
    seen(event);
  }
  return all;
}
export const resultOf = (events: readonly AgentEvent[]) => events.findLast((event) => event.type === 'turn-ended')?.result;
/** An answer that ends for another reason than that it is complete. */
export const stopped = (reason: string, ...blocks: Parameters<typeof answer>[0]): Reply =>
  async function* () {
    yield { type: 'response-ended', message: { ...answer(blocks), stop_reason: reason } };
  };
