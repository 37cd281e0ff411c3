/** What one prompt of print mode runs: its own turn and, when it is the last one, those that agents of the background bring. */
import type { AgentEvent, Subagents, TurnResult } from '@sidenote/agent';
import { addUsage } from '@sidenote/agent';
import type { PromptInput } from '@sidenote/engine';
import type { Conversation } from '../conversation.js';
import { plus } from '../spending.js';

export type TurnsOptions = {
  /** Null: only what the background brings. */
  readonly prompt: PromptInput | null;
  /** Nothing follows, so agents of the background are waited for, and their answers are worked on. */
  readonly isLast: boolean;
  readonly signal: AbortSignal;
};

/** An agent of the background still runs, or has ended and the model was not told. */
export function hasMore({ agents, session }: Pick<Conversation, 'agents' | 'session'>): boolean {
  if (agents === undefined || !agents.list().some(({ background }) => background)) return false;
  return agents.runsInBackground || session.pending.some(({ wake }) => wake);
}

export async function* turnsOf(
  { agent, agents }: Pick<Conversation, 'agent' | 'agents'>,
  { prompt, isLast, signal }: TurnsOptions,
): AsyncGenerator<AgentEvent, void, void> {
  if (prompt !== null) yield* agent.run(prompt);
  if (!isLast || !agents?.list().some(({ background }) => background)) return;
  while (!signal.aborted) {
    const woken = agent.wake();
    if (woken !== null) yield* woken;
    else if (agents.runsInBackground) await agents.oneEnds(signal);
    else return;
  }
}

/** Several turns as one result: the words of the last, the sums of all. */
export function together(first: TurnResult | undefined, last: TurnResult): TurnResult {
  if (first === undefined) return last;
  return {
    ...last,
    usage: addUsage(first.usage, last.usage),
    steps: first.steps + last.steps,
    durationMs: first.durationMs + last.durationMs,
    apiMs: first.apiMs + last.apiMs,
    usd: plus(first.usd, last.usd),
    denied: [...first.denied, ...last.denied],
  };
}

/** US dollars that the agents of this process took. */
export function agentsUsd(agents: Pick<Subagents, 'list'> | undefined): number | null {
  return (agents?.list() ?? []).map(({ usd }) => usd).reduce(plus, 0);
}
