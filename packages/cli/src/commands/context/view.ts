/** What a request holds, by owner: the data behind `/context` and `sidenote context`. Numbers come from audit and analysis alone. */
import type {
  Analysis,
  AuditReport,
  ChainRecord,
  Collected,
  InstructionFile,
  ModelProfile,
  Owned,
  Owner,
  Step,
  Thread,
  Usage,
} from '@sidenote/engine';

import type { HookItem } from './hooks.js';

export type Amount = { readonly characters: number; readonly tokens: number };
export type Item = Amount & {
  readonly name: string;
  /** First words, or a title. */
  readonly says: string;
  /** Why it is there. */
  readonly reason: string;
};

export type ContextView = Amount & {
  readonly model: string;
  /** Tokens that fit into the model's window. */
  readonly window: number;
  /** Characters of JSON that are no one's. */
  readonly envelope: number;
  /** Every owner group that has something, in the order of the request. */
  readonly groups: readonly (Amount & { readonly group: Owner['type']; readonly items: number })[];
  /** Which layer of the system prompt won, and which lost; null when it has none. */
  readonly layer: AuditReport['layer'];
  readonly sections: readonly Item[];
  readonly tools: readonly Item[];
  /** Blocks that hold injected context, and what is in them. */
  readonly reminders: Amount & { readonly blocks: number; readonly kinds: readonly Item[] };
  /** Messages without what was injected into them. */
  readonly messages: Amount & { readonly count: number };
  /** Parts that sum up to the whole: who put them there, what is new, cached, and freed by a compaction. */
  readonly analysis: Analysis;
  /** What the provider counted for the last request; null before its answer. */
  readonly reported: Usage | null;
  readonly absent: readonly Collected[];
};

export type FileItem = Amount &
  Pick<InstructionFile, 'path' | 'scope' | 'status' | 'reason' | 'from' | 'warning'> & {
    /** Part of this request, in the order of the list; waiting: told once something it is for is touched; absent: told never. */
    readonly place: 'told' | 'waiting' | 'absent';
  };

/** What a dry run knows beyond the view. */
export type DryContext = ContextView & {
  /** Every candidate for instructions, in load order. */
  readonly files: readonly FileItem[];
  /** Hooks that settings name. */
  readonly hooks: readonly HookItem[];
};

type Entry = AuditReport['entries'][number];
type Source = {
  readonly audit: AuditReport;
  readonly analysis: Analysis;
  readonly model: string;
  readonly window: number;
  says(entry: Entry): string;
};

const ORDER: readonly Owner['type'][] = ['tool', 'section', 'attachment', 'summary', 'prompt', 'answer', 'result'];

const amount = (owned: readonly Owned[]): Amount =>
  owned.reduce((sum, { from, to, tokens }) => ({ characters: sum.characters + to - from, tokens: sum.tokens + tokens }), {
    characters: 0,
    tokens: 0,
  });

/** The audit with its estimates as the analysis has them, so that one number is not told in two ways. */
function rescaled({ entries }: AuditReport, { parts }: Analysis): readonly Entry[] {
  const raw = amount(entries).tokens;
  const owned = parts.reduce((sum, { type, tokens }) => sum + (type === 'format' ? 0 : tokens), 0);
  const factor = raw === 0 ? 1 : owned / raw;
  return entries.map((entry) => ({ ...entry, tokens: entry.tokens * factor }));
}

const whole = (owned: readonly Owned[]): Amount => ({ ...amount(owned), tokens: Math.round(amount(owned).tokens) });

/** Runs of one owner become one item. */
function items(entries: readonly Entry[], says: (entry: Entry) => string): Item[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { owner, at } = entry;
    const key = `${owner.name}\0${owner.record ?? ''}\0${at.section === 'messages' ? '' : at.block}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return [...groups.values()].flatMap((runs) => {
    const [first] = runs;
    const { characters, tokens } = amount(runs);
    return first === undefined
      ? []
      : [{ name: first.owner.name, says: says(first), reason: first.reason, characters, tokens: Math.round(tokens) }];
  });
}

function view({ audit, analysis, model, window, says }: Source): ContextView {
  const entries = rescaled(audit, analysis);
  const of = (...types: readonly Owner['type'][]): Entry[] => entries.filter(({ owner }) => types.includes(owner.type));
  const nothing = (): string => '';
  const injected = of('attachment');
  const spoken = of('summary', 'prompt', 'answer', 'result');
  return {
    model,
    window,
    envelope: audit.envelope,
    characters: audit.characters,
    tokens: analysis.tokens,
    groups: ORDER.flatMap((group) => {
      const owned = of(group);
      const { characters } = amount(owned);
      const tokens = analysis.parts.reduce((sum, part) => sum + (part.type === group ? part.tokens : 0), 0);
      return owned.length === 0 ? [] : [{ group, items: items(owned, nothing).length, characters, tokens }];
    }),
    layer: audit.layer,
    sections: items(of('section'), says),
    tools: items(of('tool'), nothing),
    reminders: {
      ...whole(injected),
      blocks: new Set(injected.map(({ at }) => `${at.section}:${at.message}:${at.block}`)).size,
      kinds: items(injected, says),
    },
    messages: { ...whole(spoken), count: new Set(spoken.map(({ at }) => at.message)).size },
    analysis,
    reported: audit.reported,
    absent: audit.absent,
  };
}

function analysisIn({ analysis }: Pick<Thread, 'analysis'>): Analysis {
  if (analysis === null) throw new Error('there is no request to look at');
  return analysis;
}

const firstWords = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 80);

function recordSays(record: ChainRecord | undefined, name: string): string {
  if (record?.type === 'attachment') return record.title;
  return record?.type === 'prefix' ? firstWords(record.system.find((section) => section.name === name)?.text ?? '') : '';
}

/** Of the newest request. Words are looked up in the transcript, by the record that the audit names. */
export function viewOfAudit(
  thread: Pick<Thread, 'audit' | 'analysis' | 'transcript'>,
  about: { readonly model: string; readonly profile: Pick<ModelProfile, 'window'> },
): ContextView {
  const records = new Map(thread.transcript.window.map((record) => [record.id, record]));
  return view({
    audit: thread.audit,
    analysis: analysisIn(thread),
    model: about.model,
    window: about.profile.window,
    says: ({ owner }) => recordSays(owner.record === null ? undefined : records.get(owner.record), owner.name),
  });
}

/** The text at a run of characters of the block's JSON: one block holds several sections. */
function partOf(block: object | undefined, { from, to }: Pick<Owned, 'from' | 'to'>): string {
  return String(JSON.parse(`"${JSON.stringify({ ...block, cache_control: undefined }).slice(from, to)}"`));
}

const WAITING: readonly string[] = ['scoped', 'nested', 'on-demand'];

function fileItem(file: InstructionFile, tokens: (text: string) => number): FileItem {
  const { path, scope, status, reason, text, from, warning } = file;
  return {
    path,
    scope,
    status,
    place: status === 'loaded' || status === 'cut' ? 'told' : WAITING.includes(status) ? 'waiting' : 'absent',
    characters: text.length,
    tokens: text === '' ? 0 : tokens(text),
    reason,
    ...(from === undefined ? {} : { from }),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** Of a dry run: `step` came from `thread.preview`, and the audit is of that. */
export function viewOfPreview(
  thread: Pick<Thread, 'audit' | 'analysis'>,
  step: Pick<Step, 'request' | 'injected'>,
  about: {
    readonly profile: Pick<ModelProfile, 'window'>;
    readonly files: readonly InstructionFile[];
    readonly hooks: readonly HookItem[];
    tokens(text: string): number;
  },
): DryContext {
  const titles = new Map<string, string[]>();
  for (const { kind, title } of step.injected) titles.set(kind, [...(titles.get(kind) ?? []), title]);
  const shown = view({
    audit: thread.audit,
    analysis: analysisIn(thread),
    model: step.request.model,
    window: about.profile.window,
    says: ({ at, from, to, owner }) =>
      owner.type === 'section' ? firstWords(partOf(step.request.system[at.block], { from, to })) : (titles.get(owner.name)?.shift() ?? ''),
  });
  return { ...shown, files: about.files.map((file) => fileItem(file, about.tokens)), hooks: about.hooks };
}
