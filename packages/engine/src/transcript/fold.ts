/** Folds: everything that is known about a session is read from its records by one of these. */
import type { Id } from '../content/content.js';
import type { ChainRecord, TranscriptRecord } from './records.js';

/**
 * A pure reduction over the transcript. `read(fold)` equals
 * `scope.filter(on).reduce(step, initial())`. Cost: O(new) after an append; O(scope), once, after a load or a rewind, and
 * for the window after a boundary. Only folds of the window look at texts: a session holds none of what has left it (`lean.ts`).
 */
export interface Fold<S> {
  readonly name: string;
  /** `window`: what the model sees now. `chain`: also what compaction removed. `session`: also abandoned branches. */
  readonly scope: 'window' | 'chain' | 'session';
  /** Only these types are delivered. */
  readonly on: readonly TranscriptRecord['type'][];
  initial(): S;
  /** May change and return `state`: the transcript owns it. */
  step(state: S, record: TranscriptRecord): S;
}

/** What can be read of a thread. Appending stays inside the session: one door. */
export interface Transcript {
  read<S>(fold: Fold<S>): Readonly<S>;
  readonly head: Id | null;
  /** Stable array, grown in place; never rebuilt per turn. */
  readonly window: readonly ChainRecord[];
}
