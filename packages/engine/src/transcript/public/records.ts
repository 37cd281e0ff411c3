/** The conversation of another program as records, so that everything that reads records reads it too. */
import type { Content, Id, Returned } from '../../content/content.js';
import { isObject, list, text, type ReadObject } from '../json.js';
import type { AssistantRecord, AttachmentRecord, BoundaryRecord, ChainRecord } from '../records.js';
import { walk, type PublicChain, type Tree } from './chain.js';
import { blocksOf, isBoundary, keptSegment, messageOf, type PublicEntry } from './entry.js';
import { usageOf } from './read.js';

/**
 * What the model saw, with what compactions removed before it: chain records, each one the child of the one before. System and
 * tools are not in such files, so there is a `prefix` without any. `thread`: the id that the records belong to.
 */
export function publicRecords({ chain, tree }: { readonly chain: PublicChain; readonly tree: Tree }, thread: Id): readonly ChainRecord[] {
  const made = new Maker(thread);
  for (const entry of wholeChain(chain.entries, tree)) made.add(entry);
  return made.records;
}

/** The chain of before each boundary, first one first; a kept segment stands where it was, and is not repeated. */
function wholeChain(entries: readonly PublicEntry[], tree: Tree): readonly PublicEntry[] {
  let whole = entries;
  const seen = new Set<string>();
  for (let first = whole[0]; first !== undefined && isBoundary(first) && !seen.has(first.uuid); first = whole[0]) {
    seen.add(first.uuid);
    const before = text(first.line['logicalParentUuid']);
    if (before === undefined || !tree.entries.has(before)) break;
    const older = walk(before, { ...tree, parents: new Map([...tree.entries.values()].map(({ uuid, parent }) => [uuid, parent])) });
    const known = new Set(older.entries.map(({ uuid }) => uuid));
    whole = [...older.entries, ...whole.filter(({ uuid }) => !known.has(uuid))];
  }
  return whole;
}

type Draft = ChainRecord extends infer R ? (R extends ChainRecord ? Omit<R, 'parent' | 'at' | 'thread' | 'batch'> : never) : never;

/** Identity: the records so far, and the answer whose lines are being put together. */
class Maker {
  readonly records: ChainRecord[] = [];
  readonly #thread: Id;
  #host: Id = '';
  #model: string | undefined;

  constructor(thread: Id) {
    this.#thread = thread;
  }

  add(entry: PublicEntry): void {
    if (entry.type === 'user') this.#words(entry);
    else if (entry.type === 'assistant') this.#answer(entry);
    else if (entry.type === 'attachment') this.#attachment(entry);
    else if (isBoundary(entry)) this.#boundary(entry);
  }

  #push(draft: Draft, { line }: PublicEntry): void {
    const last = this.records.at(-1);
    const follows = draft.type === 'user' && draft.origin === 'summary' && last?.type === 'compact_boundary';
    const batch = { id: follows ? last.id : draft.id, index: follows ? 1 : 0, count: 1 };
    const parent = draft.type === 'compact_boundary' ? null : (last?.id ?? null);
    this.records.push({ ...draft, parent, at: text(line['timestamp']) ?? '', thread: this.#thread, batch });
  }

  #words(entry: PublicEntry): void {
    const content: Content[] = [];
    for (const block of blocksOf(messageOf(entry))) {
      const call = text(block['tool_use_id']);
      if (block['type'] === 'tool_result' && call !== undefined) {
        const id = content.length === 0 && this.#host !== entry.uuid ? entry.uuid : `${entry.uuid}:${call}`;
        this.#push({ id, type: 'tool_result', call, content: contentOf(block), isError: block['is_error'] === true, effects: [] }, entry);
        this.#host = entry.uuid;
      } else if (isContent(block)) content.push(block);
    }
    if (content.length === 0) return;
    const id = this.#host === entry.uuid ? `${entry.uuid}:words` : entry.uuid;
    const origin = entry.line['isCompactSummary'] === true ? 'summary' : entry.line['isMeta'] === true ? 'task' : 'human';
    this.#push({ id, type: 'user', content, origin }, entry);
    this.#host = id;
  }

  #answer(entry: PublicEntry): void {
    const message = messageOf(entry);
    const [id, model] = [text(message['id']), text(message['model'])];
    // Notices that the client wrote in the model's place.
    if (id === undefined || model === undefined || model === '<synthetic>') return;
    const usage = usageOf(isObject(message['usage']) ? message['usage'] : {});
    const content = blocksOf(message).filter((block): block is ReadObject & Returned => typeof block['type'] === 'string');
    const at = this.records.findLastIndex((record) => record.type === 'assistant' && record.message.id === id);
    const known = this.records[at];
    if (known?.type === 'assistant') {
      this.records[at] = { ...known, message: { ...known.message, content: [...known.message.content, ...content], usage } };
      return;
    }
    if (model !== this.#model) {
      this.#model = model;
      const head = { system: [], tools: [], params: {}, client: text(entry.line['version']) ?? '' };
      this.#push(
        { id: `${entry.uuid}:prefix`, type: 'prefix', cause: this.records.length === 0 ? 'start' : 'model', model, ...head },
        entry,
      );
    }
    const answer: AssistantRecord['message'] = { id, model, content, stop_reason: text(message['stop_reason']) ?? null, usage };
    this.#push({ id: entry.uuid, type: 'assistant', message: answer, asked: model }, entry);
  }

  #attachment(entry: PublicEntry): void {
    const attached = entry.line['attachment'];
    if (!isObject(attached)) return;
    const { type, ...data } = attached;
    const kind = text(type) ?? 'unknown';
    const draft: Omit<AttachmentRecord, 'parent' | 'at' | 'thread' | 'batch'> = {
      id: entry.uuid,
      type: 'attachment',
      kind,
      version: 0,
      data,
      content: list(entry.line['rendered']).filter(isObject).flatMap(contentOf),
      host: this.#host,
      delivery: { type: 'before-prompt' },
      trust: 'third-party',
      wrap: null,
      title: kind,
      reason: '',
      effects: [],
    };
    this.#push(draft, entry);
  }

  #boundary(entry: PublicEntry): void {
    const metadata = isObject(entry.line['compactMetadata']) ? entry.line['compactMetadata'] : {};
    const kept = keptSegment(entry)?.head;
    const draft: Omit<BoundaryRecord, 'parent' | 'at' | 'thread' | 'batch'> = {
      id: entry.uuid,
      type: 'compact_boundary',
      before: this.records.at(-1)?.id ?? '',
      keepFrom: this.records.some(({ id }) => id === kept) ? (kept ?? null) : null,
      trigger: metadata['trigger'] === 'manual' ? 'manual' : 'auto',
      preTokens: typeof metadata['preTokens'] === 'number' ? metadata['preTokens'] : 0,
    };
    this.#push(draft, entry);
  }
}

const isContent = (block: ReadObject): block is ReadObject & Content =>
  (block['type'] === 'text' && typeof block['text'] === 'string') ||
  ((block['type'] === 'image' || block['type'] === 'document') && isObject(block['source']));

/** Of a result or of a rendered attachment: words or blocks. */
const contentOf = (holder: ReadObject): readonly Content[] => blocksOf(holder).filter(isContent);
