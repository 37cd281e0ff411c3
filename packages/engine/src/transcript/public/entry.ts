/** One line of a transcript in the format that public readers know, whichever program wrote it. */
import { isObject, list, text, type ReadObject } from '../json.js';

/** A line that stands in the tree of the conversation. */
export type PublicEntry = {
  readonly uuid: string;
  /** The entry before it; null for a root and for a boundary. */
  readonly parent: string | null;
  readonly type: 'user' | 'assistant' | 'progress' | 'system' | 'attachment';
  /** The line as it was read. */
  readonly line: ReadObject;
};

const CHAINED: readonly PublicEntry['type'][] = ['user', 'assistant', 'progress', 'system', 'attachment'];

/** The entry on a line; undefined for lines beside the conversation: titles, snapshots, queue operations, and what is not known. */
export function entryOf(line: ReadObject): PublicEntry | undefined {
  const uuid = text(line['uuid']);
  const type = CHAINED.find((name) => name === line['type']);
  if (uuid === undefined || type === undefined) return undefined;
  return { uuid, parent: text(line['parentUuid']) ?? null, type, line };
}

/** The message of a user's or an assistant's line. */
export function messageOf({ line }: Pick<PublicEntry, 'line'>): ReadObject {
  const message = line['message'];
  return isObject(message) ? message : {};
}

/** The blocks of a message; words that are no blocks are one. */
export function blocksOf(message: ReadObject): readonly ReadObject[] {
  const content = message['content'];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).filter(isObject);
}

export const isBoundary = ({ type, line }: PublicEntry): boolean => type === 'system' && line['subtype'] === 'compact_boundary';

/** What a compaction kept, as its boundary tells: `head` follows on `anchor` from then on, whatever its own line says. */
export function keptSegment({ line }: PublicEntry): { readonly head: string; readonly anchor: string } | undefined {
  const metadata = line['compactMetadata'];
  const segment = isObject(metadata) ? metadata['preservedSegment'] : undefined;
  if (!isObject(segment)) return undefined;
  const [head, anchor] = [text(segment['headUuid']), text(segment['anchorUuid'])];
  return head === undefined || anchor === undefined ? undefined : { head, anchor };
}
