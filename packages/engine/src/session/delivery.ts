/** Where an attachment goes, decided once, when it is appended. */
import type { Rendered } from '../attachments/arbiter.js';
import type { Moment } from '../attachments/contract.js';
import type { Id } from '../content/content.js';
import type { ModelProfile } from '../request/model.js';
import type { Delivery } from '../transcript/records.js';
import type { Draft } from './writer.js';

/** The host: the record that attachments of this moment come with, and the call whose result takes them by default. */
export type Host = { readonly record: Id; readonly call: Id | undefined; readonly results: ReadonlyMap<Id, Id> };
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
  if (trigger !== 'tool_results') return { type: 'before-prompt' };
  const named = call !== undefined && host.results.has(call) ? call : host.call;
  const inside: Delivery = named === undefined ? { type: 'after-results' } : { type: 'inside-result', call: named };
  const asSystem = kind.trust === 'client' && profile.deliveries.includes('system-message');
  if (setting === 'after-results') return { type: 'after-results' };
  if ((setting === 'system-message' || setting === 'auto') && asSystem) return { type: 'system-message' };
  return inside;
}
