/** What a session's process and the test that kills it tell each other. */
import { createHash } from 'node:crypto';

/** Written only after what it names can no longer be lost by a kill. */
export type Acknowledged =
  | { readonly type: 'ready' }
  /** A request left: its id, how many messages it held and their digest. */
  | { readonly type: 'sent'; readonly request: string; readonly count: number; readonly digest: string }
  | { readonly type: 'shown'; readonly text: string }
  | { readonly type: 'result'; readonly call: string }
  | { readonly type: 'end' };

export const model = 'claude-opus-5-5';

/** The same for the child and for who takes up its session: marks aside, since they move. */
export function digestOfMessages(messages: readonly unknown[]): string {
  const bare = JSON.stringify(messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value));
  return createHash('sha256').update(bare).digest('hex');
}
