/** Matchers: a list of exact names, or a regular expression that may match anywhere in the name. */
import { messageOf } from '@sidenote/engine';
import { namesThatHit } from './tool-names.js';

export type Matcher =
  | { readonly ok: true; matches(subject: string | undefined): boolean }
  /** `why` is for a person. */
  | { readonly ok: false; readonly why: string };

/** Letters, digits, `_`, `-`, spaces, and the `|` and `,` between names. */
const NAMES = /^[\w\- ,|]*$/;

/** Whether one of the names that a tool has, or had, passes. */
const hits = (subject: string | undefined, test: (name: string) => boolean): boolean =>
  subject !== undefined && namesThatHit(subject).some(test);

/** Absent, empty and `*` match everything. Any character beside those of names makes it a JavaScript regular expression. */
export function matcherOf(text: string | undefined): Matcher {
  if (text === undefined || text.trim() === '' || text.trim() === '*') return { ok: true, matches: () => true };
  if (NAMES.test(text)) {
    const names = new Set(text.split(/[|,]/).map((name) => name.trim()));
    return { ok: true, matches: (subject) => hits(subject, (name) => names.has(name)) };
  }
  try {
    const pattern = new RegExp(text);
    return { ok: true, matches: (subject) => hits(subject, (name) => pattern.test(name)) };
  } catch (error) {
    return { ok: false, why: messageOf(error) };
  }
}
