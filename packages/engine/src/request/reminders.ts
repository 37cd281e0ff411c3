/** Attachments as blocks: neighbours with one wrap share one reminder, media stand beside it, `none` is plain text. */
import type { Content } from '../content/content.js';
import { wireMedia } from '../content/media.js';
import { neutralise, reminder } from '../content/tags.js';
import { isBlank, wellFormed } from '../content/text.js';
import type { AttachmentRecord } from '../transcript/records.js';
import { whole, type BlockOwners, type Segment } from './owners.js';
import { admit } from './media-room.js';
import type { PlaceContext } from './place-context.js';
import type { Owner } from './plan.js';
import type { WireBlock, WireMedia } from './wire.js';

/** Blocks that may stand in a message and inside a result. */
export type Leaf = Extract<WireBlock, { type: 'text' }> | WireMedia;
export type Piece = { readonly block: Leaf; readonly owners: BlockOwners };

const JOINT = '\n\n';

type MediaContext = Pick<PlaceContext, 'room' | 'profile'>;

/** Text and media of others, made safe to send. Blank text and media that no provider reads become words or nothing. */
export function contentPieces(content: readonly Content[], owner: Owner, context: MediaContext): readonly Piece[] {
  return content.flatMap((block): readonly Piece[] => {
    if (block.type === 'text') return isBlank(block.text) ? [] : [textPiece(safe(block.text), owner)];
    const media = wireMedia(block);
    const why = media === null ? 'not a format that can be sent' : admit(context.room, media, context.profile);
    if (media === null || why !== undefined) return [textPiece(`[${block.type} left out: ${why}]`, owner)];
    return [{ block: safeMedia(media), owners: owner }];
  });
}

/** The one way into a reminder. */
export function reminderPieces(attachments: readonly AttachmentRecord[], context: MediaContext): readonly Piece[] {
  return shared(attachments).flatMap((group) => {
    const media = group.flatMap((record) =>
      contentPieces(
        record.content.filter((block) => block.type !== 'text'),
        ownerOf(record),
        context,
      ),
    );
    const texts = group.flatMap((record) => {
      const text = record.content.flatMap((block) => (block.type === 'text' && !isBlank(block.text) ? [block.text] : [])).join(JOINT);
      return text === '' ? [] : [{ text: wellFormed(text), owner: ownerOf(record) }];
    });
    if (texts.length === 0) return media;
    if (group[0]?.wrap === 'none') return [...texts.map(({ text, owner }) => textPiece(neutralise(text), owner)), ...media];
    return [wrapped(texts), ...media];
  });
}

/** One reminder around several texts: tags and joints belong to the piece they touch. */
function wrapped(texts: readonly { readonly text: string; readonly owner: Owner }[]): Piece {
  const text = reminder(neutralise(texts.map((piece) => piece.text).join(JOINT)));
  let left = text.length;
  const segments = texts.map(({ text: piece, owner }, index): Segment => {
    const length =
      index === texts.length - 1 ? left : Math.min(left, neutralise(piece).length + JOINT.length + (index === 0 ? OPENING : 0));
    left -= length;
    return { owner, length };
  });
  return { block: { type: 'text', text }, owners: [segments.filter(({ length }) => length > 0)] };
}
const OPENING = reminder('').indexOf('\n') + 1;

function shared(attachments: readonly AttachmentRecord[]): readonly (readonly AttachmentRecord[])[] {
  const groups: AttachmentRecord[][] = [];
  for (const record of attachments) {
    const last = groups.at(-1);
    if (last !== undefined && record.wrap !== null && record.wrap !== 'none' && last[0]?.wrap === record.wrap) last.push(record);
    else groups.push([record]);
  }
  return groups;
}

const safe = (text: string) => neutralise(wellFormed(text));
const safeMedia = (media: WireMedia): WireMedia =>
  media.type === 'document' && media.source.type === 'text'
    ? { type: 'document', source: { ...media.source, data: safe(media.source.data) } }
    : media;
const ownerOf = (record: AttachmentRecord): Owner => ({ type: 'attachment', name: record.kind, record: record.id });
export const textPiece = (text: string, owner: Owner): Piece => ({ block: { type: 'text', text }, owners: [whole(text, owner)] });
