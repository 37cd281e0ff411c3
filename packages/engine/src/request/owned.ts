/** From owners kept beside blocks to character ranges: every leaf string of a body belongs to exactly one owner. */
import type { Content, Media } from '../content/content.js';
import type { Place } from '../transcript/records.js';
import type { Head } from './head.js';
import { isOneOwner, type BlockOwners } from './owners.js';
import type { Owned, Owner } from './plan.js';
import type { Sealed } from './placed.js';
import type { WireMessage } from './wire.js';

/** A run of characters in `JSON.stringify(block)`; `text` is the string it stands for, `counts` what of it takes tokens. */
export type Leaf = { readonly from: number; readonly to: number; readonly text: string; readonly counts: 'text' | 'nothing' | Media };

/** Members that hold what a model reads. Everything else of a block is envelope: keys, types, ids. */
const READ = new Set(['text', 'thinking', 'signature', 'data', 'name', 'description']);
/** Members whose whole JSON counts, since any of it is read. */
const READ_WHOLE = new Set(['input', 'input_schema']);
const SKIPPED = 'cache_control';

/** The leaf strings of a block, in the order and with the offsets of its JSON. */
export function leavesOf(block: object): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const walk = (value: unknown, at: number, around: Media | undefined): number => {
    if (Array.isArray(value)) return walkItems(value, at);
    if (typeof value !== 'object' || value === null) return at + JSON.stringify(value).length;
    const media = isMedia(value) ? value : around;
    let to = at + 1;
    let first = true;
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined || key === SKIPPED) continue;
      to += JSON.stringify(key).length + 1 + (first ? 0 : 1);
      first = false;
      if (READ.has(key) && typeof inner === 'string') {
        const length = JSON.stringify(inner).length;
        leaves.push({ from: to + 1, to: to + length - 1, text: inner, counts: countsOf(key, media) });
        to += length;
      } else if (READ_WHOLE.has(key)) {
        const text = JSON.stringify(inner);
        leaves.push({ from: to, to: to + text.length, text, counts: 'text' });
        to += text.length;
      } else to = walk(inner, to, media);
    }
    return to + 1;
  };
  const walkItems = (items: readonly unknown[], at: number): number => {
    let to = at + 1;
    items.forEach((item, index) => {
      to = walk(item, to + (index === 0 ? 0 : 1), undefined);
    });
    return to + 1;
  };
  walk(block, 0, undefined);
  return leaves;
}

const isMedia = (value: object): value is Media =>
  'type' in value && (value.type === 'image' || value.type === 'document') && 'source' in value && typeof value.source === 'object';

/** A signature is no text; the data of an image or a document are counted by its rule. */
function countsOf(key: string, media: Media | undefined): Leaf['counts'] {
  if (key === 'signature') return 'nothing';
  return key !== 'data' ? 'text' : (media ?? 'nothing');
}

type Source = {
  readonly head: Head;
  readonly messages: readonly Sealed[];
  readonly words: WireMessage | undefined;
  readonly tokens: (content: readonly Content[]) => number;
};

/** All owned runs of a request, sorted by place. */
export function ownersOf({ head, messages, words, tokens }: Source): readonly Owned[] {
  const estimate: Estimate = ({ counts }, text) =>
    counts === 'nothing' ? 0 : tokens([counts === 'text' ? { type: 'text', text } : counts]);
  const owned: Owned[] = [];
  const add = (at: Place, block: object, owners: BlockOwners) => owned.push(...blockOwned({ at, block, owners, estimate }));
  head.tools.forEach((tool, block) => add({ section: 'tools', message: 0, block }, tool, { type: 'tool', name: tool.name, record: null }));
  head.system.forEach((text, block) => add({ section: 'system', message: 0, block }, text, head.systemOwners[block] ?? []));
  messages.forEach(({ message, owners }, index) => {
    message.content.forEach((block, at) => add({ section: 'messages', message: index, block: at }, block, owners[at] ?? []));
  });
  words?.content.forEach((block, at) =>
    add({ section: 'messages', message: messages.length, block: at }, block, { type: 'prompt', name: 'aside', record: null }),
  );
  return owned;
}

type Estimate = (leaf: Leaf, text: string) => number;

type BlockSource = {
  readonly at: Place;
  readonly block: object;
  readonly owners: BlockOwners;
  readonly estimate: Estimate;
};

function blockOwned({ at, block, owners, estimate }: BlockSource): readonly Owned[] {
  return leavesOf(block).flatMap((leaf, index): readonly Owned[] => {
    if (isOneOwner(owners)) return [run({ at, leaf, owner: owners, estimate })];
    let from = 0;
    let offset = leaf.from;
    return (owners[index] ?? []).map(({ owner, length }) => {
      const text = leaf.text.slice(from, from + length);
      const to = offset + JSON.stringify(text).length - 2;
      const piece = { at, from: offset, to, owner, tokens: estimate(leaf, text) };
      from += length;
      offset = to;
      return piece;
    });
  });
}

function run({ at, leaf, owner, estimate }: { at: Place; leaf: Leaf; owner: Owner; estimate: Estimate }): Owned {
  return { at, from: leaf.from, to: leaf.to, owner, tokens: estimate(leaf, leaf.text) };
}
