/** For tests: a kind in a made-up session, its records folded as a real one would fold them. */
import type { Content, Id } from '../../content/content.js';
import type { AttachmentRecord, Effect, FileView, ToolResultRecord, TranscriptRecord } from '../../transcript/records.js';
import type { AttachmentKind, Maybe, Moment } from '../contract.js';
import type { InstructionFile, Ports, Source } from '../ports.js';
import { toldFold } from '../told.js';

type Kind<Data, Told, Needs extends keyof Ports> = AttachmentKind<Data, Told, Needs>;

let serial = 0;
const envelope = () => {
  const id = `r${++serial}`;
  return { id, at: '2031-03-01T10:00:00.000Z', thread: 't', parent: null, batch: { id, index: 0, count: 1 } };
};

export const text = (words: string): Content => ({ type: 'text', text: words });

export function result(call: Id, words: string, effects: readonly Effect[] = []): ToolResultRecord {
  return { ...envelope(), type: 'tool_result', call, content: [text(words)], isError: false, effects };
}

export function moment(changes: Partial<Moment> = {}): Moment {
  return { trigger: 'prompt', prompts: [], effects: [], isMain: true, turn: 1, step: 0, signal: new AbortController().signal, ...changes };
}

export function view(path: string, changes: Partial<FileView> = {}): FileView {
  return { path, digest: `digest of ${path}`, size: 1, mtimeNs: '1', inode: '1', lines: 'all', form: 'raw', ...changes };
}

export function instructions(path: string, words: string, changes: Partial<InstructionFile> = {}): InstructionFile {
  const watched = view(path, { form: 'instructions' });
  return { path, scope: 'project', text: words, status: 'loaded', reason: 'in the working folder', view: watched, ...changes };
}

export function source<T>(value: T): Source<T> {
  return { read: () => ({ type: 'ready', value, version: '1' }) };
}

/** Texts that were put, in order. */
export function blobs(): NonNullable<Ports['blobs']> & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    async put(words) {
      texts.push(words);
      return `digest of ${words}`;
    },
    async get() {
      return null;
    },
  };
}

/** Collects after these records; what is new comes back with the record that the session would append for it. */
export async function ask<Data extends object, Told, Needs extends keyof Ports>(
  kind: Kind<Data, Told, Needs>,
  asked: {
    readonly records?: readonly TranscriptRecord[];
    readonly ports: Required<Pick<Ports, Needs>>;
    readonly moment?: Moment;
    readonly tokens?: number;
  },
): Promise<Asked> {
  const fold = toldFold(kind);
  const told = (asked.records ?? []).filter((record) => fold.on.includes(record.type)).reduce(fold.step, fold.initial()) as Told;
  const maybe: Maybe<Data> = await kind.collect(asked.moment ?? moment(), told, asked.ports);
  const { notes = [] } = maybe;
  if (maybe.type !== 'new') return { type: maybe.type, ...('why' in maybe ? { why: maybe.why } : {}), text: '', records: [], notes };
  const { data } = maybe;
  const room = { tokens: asked.tokens ?? 20_000 };
  const { content, cut } = kind.render(data, room);
  const record: AttachmentRecord = {
    ...envelope(),
    type: 'attachment',
    kind: kind.kind,
    version: kind.version,
    data: JSON.parse(JSON.stringify(kind.keep?.(data) ?? data)),
    content,
    host: 'host',
    delivery: { type: 'before-prompt' },
    trust: kind.trust,
    wrap: kind.wrap ?? null,
    title: kind.title(data),
    reason: kind.reason(data),
    effects: kind.effects?.(data, room) ?? [],
  };
  const words = content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n\n');
  return { type: 'new', text: words, call: kind.call?.(data), record, records: [record], notes, ...(cut === undefined ? {} : { cut }) };
}

export type Asked = {
  readonly type: Maybe<unknown>['type'];
  readonly why?: string;
  readonly text: string;
  readonly cut?: string;
  readonly call?: string | undefined;
  readonly record?: AttachmentRecord;
  readonly records: readonly AttachmentRecord[];
  readonly notes: readonly string[];
};
