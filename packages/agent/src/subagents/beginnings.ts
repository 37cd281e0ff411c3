/**
 * How agents begin: one after the other, since what one of them takes (a name, a place, a thread) is taken for the next. Their
 * servers start side by side before that, so that a slow one holds up nobody else.
 */
import type { AgentType } from './agent-type.js';
import type { AgentExtras, SubagentOptions } from './contract.js';

/** Its servers have to be started first. */
export type Unequipped = { readonly type: 'unequipped'; readonly as: AgentType };

type Begin<T> = (extras: AgentExtras | undefined) => Promise<T | Unequipped>;

export interface Beginnings {
  /**
   * `begin` is called once more with what was started where it says that it has to be; it must look anew, for others begin
   * meanwhile. What was started ends unless an agent has begun with it.
   */
  next<T extends { readonly type: string }>(signal: AbortSignal, begin: Begin<T>): Promise<T>;
  /** What `begin` gives where the type asks for servers that are not started yet. */
  lacking(type: AgentType | undefined, extras: AgentExtras | undefined): Unequipped | undefined;
  /** Waits for no server any more; resolves when none is beginning. */
  end(): Promise<void>;
}

export function beginnings({ servers }: Pick<SubagentOptions, 'servers'>): Beginnings {
  const open = new Set<Promise<unknown>>();
  const ending = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(begin: () => Promise<T>): Promise<T> => {
    const mine = last.then(begin);
    last = mine.catch(() => undefined);
    return mine;
  };
  const next = async <T extends { readonly type: string }>(signal: AbortSignal, begin: Begin<T>): Promise<T> => {
    const first = await inTurn(() => begin(undefined));
    if (!isUnequipped(first)) return first;
    const extras = (await servers?.(first.as, AbortSignal.any([signal, ending.signal]))) ?? NONE;
    let hasBegun = false;
    try {
      const begun = await inTurn(() => begin(extras));
      if (isUnequipped(begun)) throw new Error(`the agent ${first.as.name} could not be equipped`);
      hasBegun = begun.type === 'started';
      return begun;
    } finally {
      if (!hasBegun) await extras.close();
    }
  };
  return {
    next(signal, begin) {
      const beginning = next(signal, begin);
      const watched = beginning.then(
        () => undefined,
        () => undefined,
      );
      open.add(watched);
      void watched.then(() => open.delete(watched));
      return beginning;
    },
    lacking: (type, extras) =>
      type?.mcpServers === undefined || servers === undefined || extras !== undefined ? undefined : { type: 'unequipped', as: type },
    async end() {
      ending.abort('the session ended');
      await Promise.all(open);
    },
  };
}

const isUnequipped = (one: { readonly type: string }): one is Unequipped => one.type === 'unequipped';

const NONE: AgentExtras = { tools: [], ports: {}, notes: [], close: async () => {} };
