/** What a request holds, by owner: the data behind `/context` and `sidenote context`. Numbers come from the audit alone. */
import type { AuditReport, Collected, InstructionFile, ModelProfile, Owned, Owner, Step, Thread, Usage } from '@sidenote/engine';

export type Amount = { readonly characters: number; readonly tokens: number };
export type Item = Amount & {
  readonly name: string;
  /** First words, a title, or why it is there. */
  readonly says: string;
};

export type ContextView = Amount & {
  readonly model: string;
  /** Tokens that fit into the model's window. */
  readonly window: number;
  /** Characters of JSON that are no one's. */
  readonly envelope: number;
  /** Every owner group that has something, in the order of the request. */
  readonly groups: readonly (Amount & { readonly group: Owner['type']; readonly items: number })[];
  readonly sections: readonly Item[];
  readonly tools: readonly Item[];
  /** Blocks that hold injected context, and what is in them. */
  readonly reminders: Amount & { readonly blocks: number; readonly kinds: readonly Item[] };
  /** Messages without what was injected into them. */
  readonly messages: Amount & { readonly count: number };
  /** What the provider counted for the last request; null before its answer. */
  readonly reported: Usage | null;
  readonly absent: readonly Collected[];
  /** Instruction files in load order, those that are not told too; empty when they were not asked for. */
  readonly files: readonly {
    readonly path: string;
    readonly scope: string;
    readonly status: string;
    readonly reason: string;
    readonly characters: number;
  }[];
};

type Source = {
  readonly model: string;
  readonly profile: Pick<ModelProfile, 'window'>;
  readonly owned: readonly Owned[];
  readonly envelope: number;
  readonly characters: number;
  readonly reported: Usage | null;
  readonly absent: readonly Collected[];
  readonly files: readonly InstructionFile[];
  says(owned: Owned): string;
};

const ORDER: readonly Owner['type'][] = ['tool', 'section', 'attachment', 'summary', 'prompt', 'answer', 'result'];
const NONE: Amount = { characters: 0, tokens: 0 };

const amount = (owned: readonly Owned[]): Amount =>
  owned.reduce((sum, { from, to, tokens }) => ({ characters: sum.characters + to - from, tokens: sum.tokens + tokens }), NONE);

/** Runs of one owner become one item. */
function items(owned: readonly Owned[], says: (owned: Owned) => string): Item[] {
  const groups = new Map<string, Owned[]>();
  for (const one of owned) {
    const key = `${one.owner.name}\0${one.owner.record ?? ''}\0${one.at.section === 'messages' ? '' : one.at.block}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((runs) => {
    const [first] = runs;
    return first === undefined ? [] : [{ name: first.owner.name, says: says(first), ...amount(runs) }];
  });
}

function view(source: Source): ContextView {
  const of = (...types: readonly Owner['type'][]): Owned[] => source.owned.filter(({ owner }) => types.includes(owner.type));
  const injected = of('attachment');
  const spoken = of('summary', 'prompt', 'answer', 'result');
  return {
    model: source.model,
    window: source.profile.window,
    envelope: source.envelope,
    characters: source.characters,
    tokens: amount(source.owned).tokens,
    groups: ORDER.flatMap((group) => {
      const owned = of(group);
      return owned.length === 0 ? [] : [{ group, items: items(owned, () => '').length, ...amount(owned) }];
    }),
    sections: items(of('section'), source.says),
    tools: items(of('tool'), () => ''),
    reminders: {
      ...amount(injected),
      blocks: new Set(injected.map(({ at }) => `${at.section}:${at.message}:${at.block}`)).size,
      kinds: items(injected, source.says),
    },
    messages: { ...amount(spoken), count: new Set(spoken.map(({ at }) => at.message)).size },
    reported: source.reported,
    absent: source.absent,
    files: source.files.map(({ path, scope, status, reason, text }) => ({ path, scope, status, reason, characters: text.length })),
  };
}

const firstWords = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 80);

/** Of the newest request. Words are looked up in the transcript by the record that the audit names. */
export function viewOfAudit(
  thread: Pick<Thread, 'audit' | 'transcript'>,
  about: { readonly model: string; readonly profile: ModelProfile },
): ContextView {
  const audit: AuditReport = thread.audit;
  const records = new Map(thread.transcript.window.map((record) => [record.id, record]));
  return view({
    ...about,
    owned: audit.entries,
    envelope: audit.envelope,
    characters: audit.characters,
    reported: audit.reported,
    absent: audit.absent,
    files: [],
    says: ({ owner }) => {
      const record = owner.record === null ? undefined : records.get(owner.record);
      if (record?.type === 'attachment') return record.title;
      if (record?.type !== 'prefix') return '';
      return firstWords(record.system.find(({ name }) => name === owner.name)?.text ?? '');
    },
  });
}

/** Of a dry run: what would be sent. */
export function viewOfStep(
  step: Pick<Step, 'request' | 'plan' | 'injected' | 'report'>,
  about: { readonly profile: ModelProfile; readonly files: readonly InstructionFile[] },
): ContextView {
  const { request, plan } = step;
  const owned = plan.owners;
  const characters = JSON.stringify(request).length;
  const titles = new Map<string, string>();
  for (const { kind, title } of step.injected) titles.set(kind, titles.has(kind) ? `${titles.get(kind) ?? ''}; ${title}` : title);
  return view({
    profile: about.profile,
    files: about.files,
    model: request.model,
    owned,
    characters,
    envelope: characters - amount(owned).characters,
    reported: null,
    absent: step.report.filter(({ outcome }) => outcome !== 'new' && outcome !== 'nothing'),
    says: ({ at, owner }) => (owner.type === 'section' ? firstWords(request.system[at.block]?.text ?? '') : (titles.get(owner.name) ?? '')),
  });
}
