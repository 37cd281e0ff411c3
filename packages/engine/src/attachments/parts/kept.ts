/** What a record keeps of a kind's data: small, and read back with suspicion, since a file may hold anything. */
import type { Json } from '../../content/content.js';

/** Characters of JSON; records allow 4,096. */
const MOST = 3_800;

/** The longest start of a list whose JSON fits into a record. */
export function fitting<T extends Json>(items: readonly T[]): readonly T[] {
  let length = 2;
  const end = items.findIndex((item) => (length += JSON.stringify(item).length + 1) > MOST);
  return end === -1 ? items : items.slice(0, end);
}

/** A member of an object, or undefined. */
export function member(data: Json | undefined, name: string): Json | undefined {
  return typeof data === 'object' && data !== null && !Array.isArray(data) && Object.hasOwn(data, name)
    ? (data as { readonly [key: string]: Json | undefined })[name]
    : undefined;
}

/** The strings of a list; undefined when it is no list. */
export function strings(data: Json | undefined): readonly string[] | undefined {
  return Array.isArray(data) ? data.filter((item) => typeof item === 'string') : undefined;
}
