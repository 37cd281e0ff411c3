/** Threads beside the main one: which agent each of them is, as the transcript has it. */
import type { Id, Json } from '../content/content.js';
import type { Fold } from '../transcript/fold.js';
import { isObject } from '../transcript/json.js';

/** A spawned thread. It stands in that thread's own transcript, and in the main one, which so lists them all. */
export type SpawnedAgent = {
  readonly thread: Id;
  /** Its type: `Explore`. */
  readonly agent: string;
  /** What it is called by others; default: by the thread's id. */
  readonly name?: string;
  /** The thread that spawned it. */
  readonly parent: Id;
  /** Where it works, when that is not where the session does. */
  readonly cwd?: string;
  /** Kinds that are off in it, with the reason. */
  readonly off?: Readonly<Record<string, string>>;
};

/** Fold: every thread that was spawned, in that order. Read in its own transcript, a thread finds itself. */
export const agentsFold: Fold<Map<Id, SpawnedAgent>> = {
  name: 'agents',
  scope: 'session',
  on: ['state'],
  initial: () => new Map(),
  step(agents, record) {
    const agent = record.type === 'state' && record.key === 'agent' ? agentIn(record.value) : undefined;
    if (agent !== undefined) agents.set(agent.thread, agent);
    return agents;
  },
};

/** A spawned agent is JSON by construction. */
export const agentValue = (agent: SpawnedAgent): Json => agent as Json;

function agentIn(value: Json): SpawnedAgent | undefined {
  if (!isObject(value)) return undefined;
  const { thread, agent, name, parent, cwd, off } = value;
  if (typeof thread !== 'string' || typeof agent !== 'string' || typeof parent !== 'string') return undefined;
  return {
    thread,
    agent,
    parent,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(isObject(off) ? { off: reasons(off) } : {}),
  };
}

function reasons(off: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(off).map(([kind, why]) => [kind, String(why)]));
}
