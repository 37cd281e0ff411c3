/** Who owns which characters of a request, why they are there, since when, and what they cost: an equation, not an estimate. */
import type { Id } from '../content/content.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { ChainRecord, Collected, RequestRecord, Usage } from '../transcript/records.js';
import { comparePlaces } from './marks.js';
import type { ModelProfile } from './model.js';
import type { AuditReport, Owned, RequestPlan } from './plan.js';
import { requestsInWindow } from './sent.js';
import type { MessagesBody } from './wire.js';

export type AuditSource = {
  readonly plan: RequestPlan;
  readonly request: MessagesBody;
  readonly log: TranscriptLog;
  readonly profile: ModelProfile;
  readonly report: readonly Collected[];
  /** Records of a preview, which are not in the log: there, what is not found is looked for in all that is packed. */
  readonly more: readonly ChainRecord[];
};

/** The audit of one request. Cost: O(its size); made only when asked for. */
export function auditOf({ plan, request, log, profile, report, more }: AuditSource): AuditReport {
  const sent = requestsInWindow(log, plan.prefix);
  const first = firstHolders(sent);
  const get = (id: Id) => more.find((record) => record.id === id) ?? log.get(id);
  const { read, write5m, write1h, fresh } = plan.expected;
  const total = read + write5m + write1h + fresh;
  const newest = plan.marks.at(-1);
  const entries = plan.owners.map((owned) => {
    const record = owned.owner.record === null ? undefined : get(owned.owner.record);
    const since = owned.at.section === 'messages' ? (first[owned.at.message] ?? sent.length) : 0;
    const cache = cacheOf(owned, plan);
    return {
      ...owned,
      reason: reasonOf(record, owned),
      trigger: triggerOf(record, get),
      firstSent: sent[since]?.id ?? plan.id,
      age: Math.max(0, sent.length - since - (sent.at(-1)?.id === plan.id ? 1 : 0)),
      cache,
      usd: priceOf(owned.tokens, { cache, ttl: newest?.ttl ?? '5m', total }, profile),
    };
  });
  const characters = JSON.stringify(request).length;
  const owned = entries.reduce((sum, entry) => sum + entry.to - entry.from, 0);
  const prefix = get(plan.prefix);
  const sections = prefix?.type === 'prefix' ? (prefix.absent ?? []) : [];
  const told = new Set(report.map(({ kind }) => kind));
  const absent = [
    ...sections.filter(({ kind }) => !told.has(kind)),
    ...report.filter(({ outcome }) => outcome !== 'new' && outcome !== 'nothing'),
  ];
  const layer = prefix?.type === 'prefix' ? (prefix.layer ?? null) : null;
  return { plan: plan.id, entries, envelope: characters - owned, characters, absent, layer, reported: reportedUsage(log) };
}

/** By message: index of the request that held it first. */
function firstHolders(sent: readonly RequestRecord[]): readonly number[] {
  const first: number[] = [];
  sent.forEach(({ sealed }, index) => {
    while (first.length < sealed) first.push(index);
  });
  return first;
}

function reasonOf(record: ChainRecord | undefined, owned: Owned): string {
  if (record?.type === 'attachment') return record.reason;
  if (record?.type === 'prefix') return `prefix: ${record.cause}`;
  if (record?.type === 'user' && record.origin !== 'summary') return record.origin === 'human' ? 'typed' : record.origin;
  return {
    section: 'prefix',
    tool: 'offered since the prefix',
    attachment: '',
    prompt: 'asked beside the conversation',
    answer: 'the model answered',
    result: 'the model called a tool',
    summary: 'compaction',
  }[owned.owner.type];
}

function triggerOf(record: ChainRecord | undefined, get: (id: Id) => ChainRecord | undefined): AuditReport['entries'][number]['trigger'] {
  if (record === undefined || record.type === 'prefix') return 'start';
  const host = record.type === 'attachment' ? get(record.host) : record;
  if (host?.type === 'assistant') return 'model';
  if (host?.type === 'tool_result') return 'tool_results';
  return host?.type === 'user' && host.origin === 'summary' ? 'compaction' : 'prompt';
}

/** What was sent before is read while its entry lives; what follows is written, up to the newest mark. */
function cacheOf({ at }: Owned, { expected, sealed, marks }: RequestPlan): 'read' | 'written' | 'fresh' {
  if (expected.read > 0 && (at.section !== 'messages' || at.message < sealed)) return 'read';
  const newest = marks.at(-1);
  const writes = expected.write5m + expected.write1h > 0;
  return writes && newest !== undefined && comparePlaces(at, newest.at) <= 0 ? 'written' : 'fresh';
}

type Priced = { readonly cache: 'read' | 'written' | 'fresh'; readonly ttl: '5m' | '1h'; readonly total: number };

function priceOf(tokens: number, { cache, ttl, total }: Priced, { price }: ModelProfile): number | null {
  if (price === null) return null;
  const perMillion = cache === 'read' ? price.read : cache === 'fresh' ? price.input : ttl === '1h' ? price.write1h : price.write5m;
  const factor = price.longPrompt !== undefined && total > price.longPrompt.over ? price.longPrompt.factor : 1;
  return (tokens * perMillion * factor) / 1_000_000;
}

function reportedUsage(log: TranscriptLog): Usage | null {
  const answer = log.window.findLast((record) => record.type === 'assistant');
  return answer?.type === 'assistant' ? answer.message.usage : null;
}
