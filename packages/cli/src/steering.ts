/** Words that come while the agent works: handed over only where the turn is sure to take them along, so that none is left over. */
import type { Agent, AgentEvent } from '@sidenote/agent';

export interface Steering {
  /** Words that were not handed over yet, oldest first. */
  readonly waiting: readonly string[];
  add(words: string): void;
  /** To be awaited before the next event is asked for: the turn stands still meanwhile. Gives what was handed over now. */
  at(event: AgentEvent): Promise<readonly string[]>;
  /** Takes out what the turn did not take along: a prompt of its own. */
  rest(): readonly string[];
}

/** Another request follows these events, unless the turn is interrupted. */
function isMidTurn(event: AgentEvent): boolean {
  if (event.type === 'tool-ended') return true;
  return event.type === 'response-ended' && event.message.content.some((block) => block.type === 'tool_use');
}

export function steering(agent: Pick<Agent, 'steer'>): Steering {
  let waiting: string[] = [];
  const take = (): string[] => {
    const taken = waiting;
    waiting = [];
    return taken;
  };
  return {
    get waiting() {
      return waiting;
    },
    add: (words) => void waiting.push(words),
    async at(event) {
      if (waiting.length === 0 || !isMidTurn(event)) return [];
      const taken = take();
      for (const words of taken) await agent.steer(words);
      return taken;
    },
    rest: take,
  };
}
