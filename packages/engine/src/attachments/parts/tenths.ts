/** Limits and how far they are used up: what kinds about usage say at each tenth, and never twice. */
import type { Json } from '../../content/content.js';
import { countText } from '../../content/count-text.js';
import type { KindOptions } from '../ports.js';
import { member } from './kept.js';

/** Tenths that are used up, at least 0. */
export const tenths = (used: number, limit: number): number => (limit > 0 ? Math.max(0, Math.floor((used * 10) / limit + 1e-9)) : 10);

/** Tokens for a reader: `12,345`; never below 0. */
export const count = (tokens: number): string => countText(Math.max(0, Math.round(tokens)));

/** What the record of such a kind has to hold. */
export const hasTenth = (data: Json): Json | undefined => (typeof member(data, 'tenth') === 'number' ? data : undefined);

/** `cadence: every-turn` in the options of a kind. */
export const everyTurn = (options: KindOptions, kind: string): boolean => options.of(kind)['cadence'] === 'every-turn';
