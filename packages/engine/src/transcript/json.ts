/** Guards for values that were read from lines. */
import type { Json } from '../content/content.js';

export type JsonObject = { readonly [key: string]: Json | undefined | object };
export type ReadObject = { readonly [key: string]: Json | undefined };

/** A plain object, not an array and not null. */
export function isObject(value: unknown): value is ReadObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Replaces lone surrogates everywhere, so that one damaged character can't make every later request invalid. */
export function deepWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(deepWellFormed);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), deepWellFormed(inner)]));
  return value;
}
