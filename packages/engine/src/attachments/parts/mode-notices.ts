/** When the rules of a mode are told: in full on entry, then every few turns. Compared with the mode of now, never remembered. */
import type { Json } from '../../content/content.js';
import type { Fold } from '../../transcript/fold.js';
import { isKind } from '../contract.js';
import { member } from './kept.js';

/** Turns between two notices of a mode that lasts, and how many notices lie between two in full. */
const TURNS = 5;
const FULL = 5;

/** A notice as its record keeps it: the turn it came with, and how many came before it since the mode was entered. */
export type Notice = { readonly turn: number; readonly count: number };

/** The notice that is due; undefined: the last one still counts. */
export function noticeDue(turn: number, last: Notice | undefined): (Notice & { readonly full: boolean }) | undefined {
  if (last === undefined) return { turn, count: 0, full: true };
  if (turn - last.turn < TURNS) return undefined;
  const count = last.count + 1;
  return { turn, count, full: count % FULL === 0 };
}

export function noticeIn(data: Json): Notice | undefined {
  const [turn, count] = [member(data, 'turn'), member(data, 'count')];
  return typeof turn === 'number' && typeof count === 'number' ? { turn, count } : undefined;
}

/** Fold: the newest notice of `kind` in the window that no `exit` has followed. Its data reaches it decoded. */
export function newestNotice<Data>(kind: string, exit: string): Fold<{ last: Data | undefined }> {
  return {
    name: `notice:${kind}`,
    scope: 'window',
    on: ['attachment'],
    initial: () => ({ last: undefined }),
    step(state, record) {
      if (isKind(record, kind)) return { last: record.data as Data };
      return isKind(record, exit) ? { last: undefined } : state;
    },
  };
}

/** Fold: whether the model was told to be in the mode of `kind`, and not that it was left. What a compaction removed counts. */
export function believedFold(kind: string, exit: string): Fold<{ inside: boolean }> {
  return {
    name: `believed:${kind}`,
    scope: 'chain',
    on: ['attachment'],
    initial: () => ({ inside: false }),
    step: (state, record) => (isKind(record, kind) ? { inside: true } : isKind(record, exit) ? { inside: false } : state),
  };
}
