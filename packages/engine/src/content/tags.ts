/**
 * Reminder tags: the one pair of marks that says "this is from the client". Text of others is neutralised, so that it can
 * neither open nor close a reminder; tool inputs are restored, so that tools work on the true bytes.
 */

/** A tag in any spelling that a reader may take for one, with the backslashes that earlier passes added. */
const TAG = /<(\\*)(?=\s*(?:\/\s*)?system-reminder)/gi;
const NEUTRAL_TAG = /<\\(\\*)(?=\s*(?:\/\s*)?system-reminder)/gi;
const ANY_TAG = new RegExp(TAG.source, 'i');

/** Puts one backslash behind the `<` of everything that looks like a reminder tag. `restore` takes exactly it away again. */
export function neutralise(text: string): string {
  return text.replace(TAG, '<\\$1');
}

/** The inverse: `restore(neutralise(text)) === text` for every text. A live tag stays as it is. */
export function restore(text: string): string {
  return text.replace(NEUTRAL_TAG, '<$1');
}

/** Restores every string in a tool's input, names of members included. Gives back the same value when there is nothing to restore. */
export function restoreDeep(value: unknown): unknown {
  if (typeof value === 'string') return restore(value);
  if (Array.isArray(value)) {
    const items = value.map(restoreDeep);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const restored = entries.map(([name, member]): [string, unknown] => [restore(name), restoreDeep(member)]);
  const same = restored.every(([name, member], index) => name === entries[index]?.[0] && member === entries[index][1]);
  return same ? value : Object.fromEntries(restored);
}

/** True when the text holds something that looks like a reminder tag, live or neutralised. */
export function hasTags(text: string): boolean {
  return ANY_TAG.test(text);
}

/** One reminder. Text of others in `body` must have been neutralised, in one piece: two halves of a tag are no tag yet. */
export function reminder(body: string): string {
  return `<system-reminder>\n${body}\n</system-reminder>`;
}
