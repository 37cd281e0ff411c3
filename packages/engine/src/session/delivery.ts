/** Where an attachment goes, decided once, when it is appended. */
import type { Rendered } from '../attachments/arbiter.js';
import type { Moment } from '../attachments/contract.js';
import type { Id } from '../content/content.js';
import type { ModelProfile } from '../request/model.js';
import type { ChainRecord, Delivery } from '../transcript/records.js';
import type { Calls } from './calls.js';
import type { Draft } from './writer.js';

/** The host: the record that attachments of this moment come with, and the call whose result takes them by default. */
export type Host = { readonly record: Id; readonly call: Id | undefined; readonly results: ReadonlyMap<Id, Id> };

/** The last result in call order is where attachments stand by default. */
export function hostOf({ calls, results }: Calls, head: Id): Host {
  const call = calls.at(-1)?.id;
  return { record: (call === undefined ? undefined : results.get(call)) ?? head, call, results };
}

/** In a window that has begun anew: behind a kept tail, so that what is told now stands after what was told then. */
export function newestHost(window: readonly ChainRecord[], calls: Calls): Host | undefined {
  const newest = window.findLast((record) => record.type === 'user' || record.type === 'tool_result');
  if (newest === undefined) return undefined;
  return newest.type === 'tool_result' ? hostOf(calls, newest.id) : { record: newest.id, call: undefined, results: new Map() };
}

export type DeliveryOptions = {
  readonly trigger: Moment['trigger'];
  readonly host: Host;
  readonly setting: 'inside-result' | 'after-results' | 'system-message' | 'auto';
  readonly profile: ModelProfile;
};

/** One attachment as a record. */
export function attachmentDraft(rendered: Rendered, id: Id, options: DeliveryOptions): Draft {
  const { kind, data, content, effects, title, reason } = rendered;
  const delivery = deliveryOf(rendered, options);
  const host = (delivery.type === 'inside-result' ? options.host.results.get(delivery.call) : undefined) ?? options.host.record;
  return {
    id,
    type: 'attachment',
    kind: kind.kind,
    version: kind.version,
    data,
    content,
    host,
    delivery,
    trust: kind.trust,
    wrap: kind.wrap ?? null,
    title,
    reason,
    effects,
  };
}

function deliveryOf({ kind, call }: Rendered, { trigger, host, setting, profile }: DeliveryOptions): Delivery {
  if (trigger === 'prompt' || (trigger === 'compaction' && host.call === undefined)) return { type: 'before-prompt' };
  const named = call !== undefined && host.results.has(call) ? call : host.call;
  const inside: Delivery = named === undefined ? { type: 'after-results' } : { type: 'inside-result', call: named };
  if (kind.delivery === 'after-results' && profile.deliveries.includes('after-results')) return { type: 'after-results' };
  const asSystem = kind.trust === 'client' && profile.deliveries.includes('system-message');
  if (setting === 'after-results') return { type: 'after-results' };
  if ((setting === 'system-message' || setting === 'auto') && asSystem) return { type: 'system-message' };
  return inside;
}
