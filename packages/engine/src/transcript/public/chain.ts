/**
 * The conversation in a tree of entries. Rules: the official SDK's (`sessions.py` of claude-agent-sdk-python, MIT), and that what a
 * compaction kept hangs on its anchor: files are not rewritten, so its own parents lead into what was compacted away.
 */
import { isBoundary, keptSegment, type PublicEntry } from './entry.js';

export type PublicChain = {
  /** From the root, or from the newest boundary, to the leaf. */
  readonly entries: readonly PublicEntry[];
  readonly endsAt: 'root' | 'missing parent' | 'cycle' | 'no leaf';
};

export type Tree = {
  /** By uuid, in file order; of those that come twice the last. */
  readonly entries: ReadonlyMap<string, PublicEntry>;
  /** By uuid: the entry before it, kept segments re-linked. */
  readonly parents: ReadonlyMap<string, string | null>;
};

export function treeOf(all: readonly PublicEntry[]): Tree {
  const entries = new Map<string, PublicEntry>();
  for (const entry of all) {
    entries.delete(entry.uuid);
    entries.set(entry.uuid, entry);
  }
  const parents = new Map([...entries.values()].map(({ uuid, parent }) => [uuid, parent]));
  for (const entry of entries.values()) {
    const kept = isBoundary(entry) ? keptSegment(entry) : undefined;
    if (kept !== undefined && entries.has(kept.head) && entries.has(kept.anchor)) parents.set(kept.head, kept.anchor);
  }
  return { entries, parents };
}

/** The chain to the newest leaf that belongs to the conversation itself; in a sub-agent's file, where none does, to the newest one. */
export function publicChain(tree: Tree): PublicChain {
  const leaves = leavesOf(tree);
  const leaf = leaves.findLast(isMain) ?? leaves.at(-1);
  return leaf === undefined ? { entries: [], endsAt: 'no leaf' } : walk(leaf.uuid, tree);
}

/** Ends at `from`. */
export function walk(from: string, { entries, parents }: Tree): PublicChain {
  const chain: PublicEntry[] = [];
  const seen = new Set<string>();
  for (let at: string | null = from; at !== null; at = parents.get(at) ?? null) {
    const entry = entries.get(at);
    if (entry === undefined || seen.has(at))
      return { entries: chain.toReversed(), endsAt: entry === undefined ? 'missing parent' : 'cycle' };
    seen.add(at);
    chain.push(entry);
  }
  return { entries: chain.toReversed(), endsAt: 'root' };
}

/** In file order: of each entry that is nobody's parent, the nearest words or answer at or before it. */
function leavesOf({ entries, parents }: Tree): readonly PublicEntry[] {
  const followed = new Set(parents.values());
  const order = new Map([...entries.keys()].map((uuid, index) => [uuid, index]));
  const leaves = new Set<PublicEntry>();
  for (const { uuid } of entries.values()) {
    if (followed.has(uuid)) continue;
    const seen = new Set<string>();
    for (let at: string | null = uuid; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
      const entry = entries.get(at);
      if (entry?.type === 'user' || entry?.type === 'assistant') {
        leaves.add(entry);
        break;
      }
      seen.add(at);
    }
  }
  return [...leaves].toSorted((a, b) => (order.get(a.uuid) ?? 0) - (order.get(b.uuid) ?? 0));
}

const isMain = ({ line }: PublicEntry): boolean => line['isSidechain'] !== true && line['isMeta'] !== true && !('teamName' in line);
