/** How one prompt ended, the same for every output format. */
import { NO_USAGE, type TurnResult } from '@sidenote/agent';
import type { ToolCall, Usage } from '@sidenote/engine';
import { endedText } from '../failure-text.js';

export type PromptResult = {
  readonly subtype: 'success' | 'error_max_turns' | 'error_max_budget_usd' | 'error_max_budget_tokens' | 'error_during_execution';
  readonly isError: boolean;
  /** The answer; or what went wrong and what to do. */
  readonly text: string;
  readonly usage: Usage;
  /** Model responses. */
  readonly steps: number;
  readonly durationMs: number;
  readonly apiMs: number;
  /** US dollars spent by this process so far; null when a price is not known. */
  readonly totalUsd: number | null;
  readonly denied: readonly ToolCall[];
};

const SUBTYPES = {
  done: 'success',
  'max-turns': 'error_max_turns',
  'max-budget-usd': 'error_max_budget_usd',
  'max-budget-tokens': 'error_max_budget_tokens',
  interrupted: 'error_during_execution',
  failed: 'error_during_execution',
  stopped: 'error_during_execution',
} as const satisfies Record<TurnResult['reason'], PromptResult['subtype']>;

/** Of a turn that the model took part in. */
export function turnEnded(turn: TurnResult, totalUsd: number | null): PromptResult {
  const { usage, steps, durationMs, apiMs, denied } = turn;
  const text = endedText(turn);
  return { subtype: SUBTYPES[turn.reason], isError: turn.reason !== 'done', text, usage, steps, durationMs, apiMs, totalUsd, denied };
}

/** Of a prompt that never reached the model: a slash command, a bad line, a session that could not be opened. */
export function answered(outcome: { readonly text: string; readonly isError: boolean; readonly totalUsd: number | null }): PromptResult {
  return {
    ...outcome,
    subtype: outcome.isError ? 'error_during_execution' : 'success',
    usage: NO_USAGE,
    steps: 0,
    durationMs: 0,
    apiMs: 0,
    denied: [],
  };
}
