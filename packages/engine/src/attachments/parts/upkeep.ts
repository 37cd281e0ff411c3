/** How long a list was not kept up: turns and answers since it was written or recalled, and whether this window holds it. */
import type { Id, Json } from '../../content/content.js';
import type { Fold } from '../../transcript/fold.js';
import { isKind } from '../contract.js';
import { effectsIn } from './views.js';

/** `turn`: 10 turns. `step`: 10 answers. `either`: 10 turns or 50 answers, whichever comes first, so that long turns get it too. */
export type ReminderUnit = 'turn' | 'step' | 'either';

const UNITS: readonly ReminderUnit[] = ['turn', 'step', 'either'];
const TURNS = 10;
const STEPS = 10;
/** Answers of one turn that are no reason to recall anything: a long task is one turn. */
const LONG_TURN = 50;

export type Upkeep<T> = {
  /** What the newest write left; undefined: this thread has not written. */
  value: T | undefined;
  /** Turns and answers since the newest write or reminder. */
  turns: number;
  steps: number;
  /** The newest write or reminder stands in this window. */
  known: boolean;
  /** Where a kept tail may begin without it. */
  since: Set<Id>;
};

/** Fold: `read` gives what an effect of type `todos` leaves, undefined for one that is not of this list. */
export function upkeepFold<T>(kind: string, read: (value: Json) => T | undefined): Fold<Upkeep<T>> {
  return {
    name: `upkeep:${kind}`,
    scope: 'chain',
    on: ['user', 'assistant', 'tool_result', 'attachment', 'compact_boundary'],
    initial: () => ({ value: undefined, turns: 0, steps: 0, known: false, since: new Set() }),
    step(state, record) {
      if (record.type === 'compact_boundary') {
        if (record.keepFrom === null || state.since.has(record.keepFrom)) state.known = false;
        return state;
      }
      if (record.type === 'user' || record.type === 'assistant') {
        if (state.value !== undefined) state.since.add(record.id);
        if (record.type === 'assistant') state.steps++;
        else if (record.origin === 'human') state.turns++;
        return state;
      }
      const written = effectsIn(record).flatMap((effect): readonly T[] => {
        const value = effect.type === 'todos' ? read(effect.value) : undefined;
        return value === undefined ? [] : [value];
      });
      if (written.length === 0 && !isKind(record, kind)) return state;
      return { value: written.at(-1) ?? state.value, turns: 0, steps: 0, known: true, since: new Set() };
    },
  };
}

/** Why the list is to be recalled now; undefined: it is not. */
export function recallDue(told: Readonly<Upkeep<unknown>>, unit: ReminderUnit): 'window' | 'idle' | undefined {
  if (!told.known) return 'window';
  if (unit === 'step') return told.steps >= STEPS ? 'idle' : undefined;
  return told.turns >= TURNS || (unit === 'either' && told.steps >= LONG_TURN) ? 'idle' : undefined;
}

/** The option `unit` of a kind; default `either`. */
export function unitOf(option: Json | undefined): ReminderUnit {
  return UNITS.find((one) => one === option) ?? 'either';
}
