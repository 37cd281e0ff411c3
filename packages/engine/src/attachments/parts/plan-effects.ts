/** What became of plans: read from the effects of the tool that proposes them. */
import type { Json } from '../../content/content.js';
import type { Fold } from '../../transcript/fold.js';
import type { Effect } from '../../transcript/records.js';
import { isKind } from '../contract.js';
import { member } from './kept.js';
import { effectsIn } from './views.js';

/** The value of an effect of type `plan`. */
export type PlanOutcome = { readonly file: string; readonly outcome: 'approved' | 'rejected' };

export function planEffect(value: PlanOutcome): Effect {
  return { type: 'plan', value };
}

export function planIn(effect: Effect): PlanOutcome | undefined {
  if (effect.type !== 'plan') return undefined;
  const [file, outcome] = [member(effect.value, 'file'), member(effect.value, 'outcome')];
  return typeof file === 'string' && (outcome === 'approved' || outcome === 'rejected') ? { file, outcome } : undefined;
}

export type PlanWork = {
  /** The file of the plan that was approved last; undefined: none was. */
  approved: string | undefined;
  /** Something but the plan was written since. */
  wrote: boolean;
  /** Whether all items of the to-do list of since are completed; undefined: there is no list. */
  listDone: boolean | undefined;
  /** The model was asked to check its work. */
  isChecked: boolean;
  /** A compaction has removed what told of it. */
  isLost: boolean;
};

/** Fold over the chain: the plan that was approved last, and how far its work has come. */
export const planWorkFold: Fold<PlanWork> = {
  name: 'plan-work',
  scope: 'chain',
  on: ['tool_result', 'attachment', 'compact_boundary'],
  initial: () => ({ approved: undefined, wrote: false, listDone: undefined, isChecked: false, isLost: false }),
  step(state, record) {
    if (record.type === 'compact_boundary') state.isLost = state.approved !== undefined;
    if (isKind(record, 'verify_plan_reminder')) state.isChecked = true;
    if (isKind(record, 'plan_file_reference')) state.isLost = false;
    for (const effect of effectsIn(record)) note(state, effect);
    return state;
  },
};

function note(state: PlanWork, effect: Effect): void {
  const plan = planIn(effect);
  if (plan?.outcome === 'approved') {
    Object.assign(state, { approved: plan.file, wrote: false, listDone: undefined, isChecked: false, isLost: false });
  } else if (effect.type === 'wrote') {
    state.wrote ||= effect.view.path !== state.approved;
  } else if (effect.type === 'todos') {
    state.listDone = isDone(effect.value);
  }
}

/** A list of items with a `status`, on its own or under `todos`. */
function isDone(value: Json): boolean | undefined {
  const items = Array.isArray(value) ? value : member(value, 'todos');
  if (!Array.isArray(items) || items.length === 0) return undefined;
  return items.every((item: Json) => member(item, 'status') === 'completed');
}
