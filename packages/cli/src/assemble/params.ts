/** Parameters of the requests that are part of the cache key: thinking and effort, from flags and the environment. */
import { thinkingOf, type Json, type ModelProfile } from '@sidenote/engine';
import { envNumber } from '@sidenote/node';
import { EFFORTS } from '../flags/flag-table.js';
import { chosen } from '../flags/parse.js';
import type { Setup } from './set-up.js';

type Asked = Pick<Setup, 'flags' | 'io' | 'profile'>;

export function paramsOf(model: string, { flags, io, profile }: Asked): Readonly<Record<string, Json>> {
  const effort = chosen(flags, 'effort', EFFORTS);
  const budget = takesBudget(profile(model)) ? envNumber(io.env, 'MAX_THINKING_TOKENS') : undefined;
  const thinking: Readonly<Record<string, Json>> =
    budget === undefined
      ? thinkingOf(model)
      : { thinking: budget === 0 ? { type: 'disabled' } : { type: 'enabled', budget_tokens: budget } };
  return { ...thinking, ...(effort === undefined ? {} : { output_config: { effort } }) };
}

/** One line for the person where the budget in the environment is left out, since the model would refuse every request with it. */
export function budgetNotice(model: string, { io, profile }: Asked): string | undefined {
  if (takesBudget(profile(model)) || envNumber(io.env, 'MAX_THINKING_TOKENS') === undefined) return undefined;
  return `MAX_THINKING_TOKENS has no effect: ${model} takes no budget for its thoughts (--effort says how hard it tries)`;
}

/** Models think as much as they see fit from some version on; others don't think at all. */
function takesBudget({ thinking }: ModelProfile): boolean {
  return thinking === 'kept' || thinking === 'last-turn';
}
