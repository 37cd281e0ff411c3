/**
 * How many images and documents a request may hold, and how large its images may be. What went out stays as it was, so the
 * newest one gives way. Source: messages-api, vision limits, 2026-08-22.
 */
import { imageSize } from '../content/image-size.js';
import type { ModelProfile } from './model.js';
import type { WireMedia } from './wire.js';

/** What a request holds so far; grows. */
export type MediaRoom = { media: number; images: number; large: boolean };

export const emptyRoom = (): MediaRoom => ({ media: 0, images: 0, large: false });

const MOST = 600;
const MOST_200K = 100;
/** With more images than this in a request, none may be larger than `LARGE`. */
const FEW = 20;
/** Pixels of the longer side. */
const LARGE = 2_000;

/** Most images and documents of a request. */
export const mostMedia = ({ window }: Pick<ModelProfile, 'window'>): number => (window > 200_000 ? MOST : MOST_200K);

/** The room with this in it too, and whether a provider refuses that. */
export function withMedia(room: Readonly<MediaRoom>, media: WireMedia): { readonly room: MediaRoom; readonly tooLarge: boolean } {
  const isImage = media.type === 'image';
  const size = isImage ? imageSize(media.source.data) : null;
  const large = room.large || (size !== null && Math.max(size.width, size.height) > LARGE);
  const next = { media: room.media + 1, images: room.images + (isImage ? 1 : 0), large };
  return { room: next, tooLarge: isImage && next.images > FEW && large };
}

/** Takes it in, or says why there is no room for it. */
export function admit(room: MediaRoom, media: WireMedia, profile: Pick<ModelProfile, 'window'>): string | undefined {
  const most = mostMedia(profile);
  const next = withMedia(room, media);
  if (next.room.media > most) return `a request holds at most ${most} images and documents`;
  if (next.tooLarge) return `with more than ${FEW} images none may have a side over ${LARGE} pixels, and one has`;
  Object.assign(room, next.room);
  return undefined;
}
