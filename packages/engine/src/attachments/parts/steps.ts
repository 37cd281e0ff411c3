/** Limits and how far they are used up: what kinds about usage say at each tenth, and never twice. */
import type { Json } from '../../content/content.js';
import { countText } from '../../content/count-text.js';
import type { Fold } from '../../transcript/fold.js';
import { isKind } from '../contract.js';
import type { KindOptions } from '../ports.js';
import { member } from './kept.js';

/** Tenths that are used up, at least 0. */
export const tenths = (used: number, limit: number): number => (limit > 0 ? Math.max(0, Math.floor((used * 10) / limit + 1e-9)) : 10);

/** Tokens for a reader: `12,345`; never below 0. */
export const count = (tokens: number): string => countText(Math.max(0, Math.round(tokens)));

/** Fold: the tenth that the newest attachment of this kind in the window told, and of which limit. */
export function toldTenthFold(kind: string): Fold<{ limit: number; tenth: number }> {
  return {
    name: `told-tenth:${kind}`,
    scope: 'window',
    on: ['attachment'],
    initial: () => ({ limit: 0, tenth: -1 }),
    step(state, record) {
      if (!isKind(record, kind)) return state;
      const limit = member(record.data, 'limit');
      const tenth = member(record.data, 'tenth');
      return typeof limit === 'number' && typeof tenth === 'number' ? { limit, tenth } : state;
    },
  };
}

/** What the record of such a kind has to hold. */
export const hasTenth = (data: Json): Json | undefined => (typeof member(data, 'tenth') === 'number' ? data : undefined);

/** `cadence: every-turn` in the options of a kind. */
export const everyTurn = (options: KindOptions, kind: string): boolean => options.of(kind)['cadence'] === 'every-turn';
