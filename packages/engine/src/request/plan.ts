/** What is known of a request before it is sent: what is sealed, what it will cost, who owns which characters. */
import type { Id } from '../content/content.js';
import type { Collected, Layer, Mark, Moved, Place, Usage } from '../transcript/records.js';
import type { Moment } from '../attachments/contract.js';

export interface RequestPlan {
  readonly id: Id;
  readonly prefix: Id;
  readonly head: Id;
  /** `messages[0..sealed)` were sent before: the same objects as in the ancestor's body, `cache_control` aside. */
  readonly sealed: number;
  /** The nearest earlier request on this chain and in this window with this prefix. */
  readonly ancestor: Id | null;
  /** The provider's name of the newest answer in this window, for its own diagnosis of the cache; null before the first. */
  readonly previous: string | null;
  /** Must be null whenever `ancestor` is not. */
  readonly moved: Moved | null;
  readonly marks: readonly Mark[];
  /** Tokens by how they will be billed, from estimates. Computed when first read. */
  readonly expected: { readonly read: number; readonly write5m: number; readonly write1h: number; readonly fresh: number };
  /** Sorted by place. Every leaf string of the body is covered once. Computed when first read. */
  readonly owners: readonly Owned[];
}

export type Owner = {
  readonly type: 'section' | 'tool' | 'attachment' | 'prompt' | 'answer' | 'result' | 'summary';
  readonly name: string;
  readonly record: Id | null;
};

/** A run of characters of one block. `from` and `to` count in `JSON.stringify(block)` without `cache_control`. */
export type Owned = { readonly at: Place; readonly from: number; readonly to: number; readonly owner: Owner; readonly tokens: number };

export interface AuditReport {
  readonly plan: Id;
  readonly entries: readonly (Owned & {
    readonly reason: string;
    readonly trigger: Moment['trigger'] | 'start' | 'model';
    readonly firstSent: Id;
    /** Requests since it was first sent. */
    readonly age: number;
    readonly cache: 'read' | 'written' | 'fresh';
    readonly usd: number | null;
  })[];
  /** Characters of JSON that are no one's: keys, punctuation, ids, marks. */
  readonly envelope: number;
  /** `JSON.stringify(body).length` = `envelope` + the sum of all entries, exactly. */
  readonly characters: number;
  /** Kinds and sections (`system:<name>`) that are off, unavailable, late, failed or cut: with why. */
  readonly absent: readonly Collected[];
  /** Which layer of the system prompt won, and which were given in vain; null when the prompt has no layers. */
  readonly layer: Layer | null;
  /** What the provider reported with the newest answer in this window; null before the first. */
  readonly reported: Usage | null;
}
