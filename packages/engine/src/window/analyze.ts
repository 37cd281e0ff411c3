/** A request by owner: who takes how much of it, what is new, what is cached, what a compaction would free. It sums up to the whole. */
import type { Id } from '../content/content.js';
import type { ModelProfile } from '../request/model.js';
import type { AuditReport, Owner } from '../request/plan.js';
import type { MessagesBody } from '../request/wire.js';
import type { ChainRecord } from '../transcript/records.js';
import { apportion } from './apportion.js';
import { filesIn, type FilePart } from './file-parts.js';

/** Who put it there. `client`: the agent itself, so no one's words. `format`: JSON around it, and what a provider adds unseen. */
export type By = 'client' | 'person' | 'model' | 'tool' | 'format';

/** Characters of the request's JSON, and tokens. */
export type Amount = { readonly characters: number; readonly tokens: number };

/** All of one owner in one role. All but `characters` are tokens. */
export type Part = Amount & {
  /** `format` is the last part, and no one's. */
  readonly type: Owner['type'] | 'format';
  /** Of the section, the tool, the attachment kind, the model that answered, the tool that gave the result. */
  readonly name: string;
  readonly by: By;
  readonly role: 'tools' | 'system' | 'user' | 'assistant' | 'none';
  /** So many texts it is made of. */
  readonly count: number;
  /** Added since the newest turn began. */
  readonly added: number;
  /** Read from the cache by this request. */
  readonly cached: number;
  /** Gone after a compaction; what would be told again is not among it. */
  readonly freed: number;
  /** Instruction files that it tells; what is missing to the whole is the words around them. */
  readonly files: readonly FilePart[];
};

export type Analysis = Amount & {
  /** The request. */
  readonly id: Id;
  readonly model: string;
  /** Tokens that fit into the model's window. */
  readonly window: number;
  /** Whether `tokens` is what the provider reported of this request, or an estimate. */
  readonly by: 'reported' | 'estimated';
  /** In the order of the request; their characters and tokens sum up to those of the whole, exactly. */
  readonly parts: readonly Part[];
  readonly added: number;
  readonly cached: number;
  readonly freed: number;
};

export type AnalysisSource = {
  readonly request: MessagesBody;
  readonly audit: AuditReport;
  readonly profile: Pick<ModelProfile, 'window'>;
  /** Tokens of the whole request, if they are known better than by the audit's estimates; `scale`: of these estimates. */
  readonly total: { readonly tokens: number | null; readonly by: Analysis['by']; readonly scale: number };
  /** Kinds that are told again after a compaction. */
  readonly again: ReadonlySet<string>;
  record(id: Id): ChainRecord | undefined;
};

type Entry = AuditReport['entries'][number];

const BY: Readonly<Record<Owner['type'], By>> = {
  section: 'client',
  tool: 'client',
  attachment: 'client',
  summary: 'client',
  prompt: 'person',
  answer: 'model',
  result: 'tool',
};

/** Cost: O(size of the request). Nothing is walked that the audit has not walked already. */
export function analyze(source: AnalysisSource): Analysis {
  const { request, audit, profile, total } = source;
  const scaled = audit.entries.map(({ tokens }) => tokens * total.scale);
  const sum = scaled.reduce((all, tokens) => all + tokens, 0);
  const tokens = total.tokens ?? Math.round(sum);
  // What a provider counts beyond all texts is no one's; where it counts less, all shrink alike.
  const shares = apportion(tokens, [...scaled, Math.max(0, tokens - sum)]);
  const parts = groupsOf(source, shares).map((group) => partOf(group, source));
  const around = { type: 'format', name: 'JSON', by: 'format', role: 'none', count: 1, added: 0, cached: 0, freed: 0, files: [] } as const;
  const whole = [...parts, { ...around, characters: audit.envelope, tokens: shares.at(-1) ?? 0 }];
  const all = (key: 'added' | 'cached' | 'freed') => whole.reduce((sum, part) => sum + part[key], 0);
  return {
    id: audit.plan,
    model: request.model,
    window: profile.window,
    by: total.by,
    characters: audit.characters,
    tokens,
    parts: whole,
    added: all('added'),
    cached: all('cached'),
    freed: all('freed'),
  };
}

type Group = { readonly owner: Owner; readonly role: Part['role']; readonly pieces: { readonly entry: Entry; readonly tokens: number }[] };

/** Everything of one owner in one role, in the order in which the request has it first. */
function groupsOf({ audit, request }: AnalysisSource, shares: readonly number[]): readonly Group[] {
  const groups = new Map<string, Group>();
  audit.entries.forEach((entry, index) => {
    const { owner } = entry;
    const role = roleOf(entry, request);
    const key = [owner.type, owner.name, role].join('\0');
    const group = groups.get(key) ?? { owner, role, pieces: [] };
    group.pieces.push({ entry, tokens: shares[index] ?? 0 });
    groups.set(key, group);
  });
  return [...groups.values()];
}

function partOf({ owner, role, pieces }: Group, source: AnalysisSource): Part {
  const { type, name, record } = owner;
  const turn = turnOf(source.audit);
  const sum = (is: (entry: Entry) => boolean) => pieces.reduce((all, { entry, tokens }) => all + (is(entry) ? tokens : 0), 0);
  const tokens = sum(() => true);
  const characters = pieces.reduce((all, { entry: { from, to } }) => all + to - from, 0);
  const staysOrComes = type === 'section' || type === 'tool' || (type === 'attachment' && source.again.has(name));
  return {
    type,
    name,
    by: type === 'prompt' && record === null ? 'client' : BY[type],
    role,
    count: new Set(pieces.map(({ entry: { owner: one, at } }) => (type === 'section' ? one.name : (one.record ?? at.block)))).size,
    characters,
    tokens,
    added: sum(({ at }) => at.section === 'messages' && at.message >= turn),
    cached: sum(({ cache }) => cache === 'read'),
    freed: staysOrComes ? 0 : tokens,
    files: type === 'attachment' ? filesIn(recordsOf(pieces, source), { characters, tokens }) : [],
  };
}

function roleOf({ at }: Entry, { messages }: MessagesBody): Part['role'] {
  return at.section === 'messages' ? (messages[at.message]?.role ?? 'user') : at.section;
}

/** Index of the message with the newest words of a person: there the newest turn begins. */
function turnOf({ entries }: AuditReport): number {
  return entries.findLast(({ owner }) => owner.type === 'prompt' && owner.record !== null)?.at.message ?? 0;
}

function recordsOf(pieces: Group['pieces'], { record }: AnalysisSource): readonly ChainRecord[] {
  return [...new Set(pieces.flatMap(({ entry }) => entry.owner.record ?? []))].flatMap((id) => record(id) ?? []);
}
