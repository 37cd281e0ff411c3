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
  | 'media-size'
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

/** How a rule adds a problem. */
export type Report = (path: string, rule: Rule, message: string) => void;
