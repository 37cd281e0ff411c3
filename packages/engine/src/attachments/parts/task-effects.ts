/** What a thread was told of work that runs beside it: results, notifications and deltas all say it by one effect. */
import type { Id, Json } from '../../content/content.js';
import type { Effect } from '../../transcript/records.js';
import { member } from './kept.js';

export type TaskState = 'running' | 'done' | 'failed' | 'stopped';

/** A state of a background command, an agent or a monitor, told to the model. */
export type TaskChange = { readonly id: Id; readonly state: TaskState };

const STATES: readonly TaskState[] = ['running', 'done', 'failed', 'stopped'];

/** For whoever tells the model of a state: the result that starts one, the notification of its end. */
export function taskTold({ id, state }: TaskChange): Effect {
  return { type: 'task', value: { id, state } };
}

/** The change in an effect; undefined for other effects, and for what can't be read. */
export function taskChangeIn(effect: Effect): TaskChange | undefined {
  return effect.type === 'task' ? taskChangeOf(effect.value) : undefined;
}

export function taskChangeOf(value: Json | undefined): TaskChange | undefined {
  const id = member(value, 'id');
  const state = STATES.find((one) => one === member(value, 'state'));
  return typeof id === 'string' && state !== undefined ? { id, state } : undefined;
}
