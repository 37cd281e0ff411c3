/** What a check of a request finds: which rule, where, in words for a person. */

export type Rule =
  | 'message-count'
  | 'first-message'
  | 'role'
  | 'empty-message'
  | 'block-type'
  | 'blank-text'
  | 'lone-surrogate'
  | 'media'
  | 'media-count'
  | 'call-shape'
  | 'duplicate-call'
  | 'missing-result'
  | 'unexpected-result'
  | 'duplicate-result'
  | 'results-first'
  | 'system-role'
  | 'system-place'
  | 'thinking-place'
  | 'thinking-signature'
  | 'thinking-parameter'
  | 'prefill'
  | 'tool-name'
  | 'tool-unique'
  | 'mark-count'
  | 'mark-place'
  | 'mark-order';

/** One reason why a provider would refuse the request. `path` is where: `messages.3.content.0`. */
export type Problem = { readonly path: string; readonly rule: Rule; readonly message: string };

/** Adds a problem. */
export type Report = (path: string, rule: Rule, message: string) => void;

/** Reports the first string below `value` that is no valid Unicode. */
export function checkStrings(value: unknown, path: string, report: Report): void {
  const at = illFormed(value, path);
  if (at !== null)
    report(at, 'lone-surrogate', 'a string holds half of a surrogate pair, so the request is no valid JSON for the provider');
}

function illFormed(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const found = name.isWellFormed() ? illFormed(member, `${path}.${name}`) : path;
    if (found !== null) return found;
  }
  return null;
}
