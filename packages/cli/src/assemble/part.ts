/** What one feature brings to a session: the same shape for all, so that a further one is a file of its own and a line in the list. */
import type { AgentOptions, AnyTool } from '@sidenote/agent';
import type { Ports } from '@sidenote/engine';

export type Part = {
  /** What its kinds of context read. A name that two parts give is the later one's. */
  readonly ports?: Partial<Ports>;
  /** Stand behind the built-in tools, in the order of the parts: the array belongs to the prefix and must not depend on luck. */
  readonly tools?: readonly AnyTool[];
  /** What the loop asks it while a turn runs. */
  readonly agent?: Partial<Pick<AgentOptions, 'laterTools'>>;
  /** Ends what it started; awaited before the session's file is closed. */
  close?(): Promise<void>;
};

/** All parts as one. */
export function joined(parts: readonly Part[]): Required<Part> {
  return {
    ports: Object.assign({}, ...parts.map(({ ports }) => ports)),
    tools: parts.flatMap(({ tools }) => tools ?? []),
    agent: Object.assign({}, ...parts.map(({ agent }) => agent)),
    async close() {
      for (const part of parts) await part.close?.();
    },
  };
}
