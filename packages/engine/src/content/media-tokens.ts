/** How many tokens an image or a document takes, by the providers' published rules, from its bytes alone. */
import type { Media } from './content.js';
import { imageSize } from './image-size.js';

/** How large a model sees images: what is larger is scaled down first. */
export type ImageSight = {
  /** Pixels of the longer side. */
  readonly edge: number;
  /** Tokens of one image. */
  readonly most: number;
};

/** Source: the provider's vision page, read 2026-08-22: `standard` up to version 4.6, `high` from 4.7 on. */
export const IMAGE_SIGHT = { standard: { edge: 1568, most: 1568 }, high: { edge: 2576, most: 4784 } } as const satisfies Record<
  string,
  ImageSight
>;

/** Pixels of a patch's side: one token each. Same source. */
const PATCH = 28;

/** A page of a document is sent as its text and as an image of it. Source: the provider's page on PDF support: 1,500 to 3,000 of text. */
const PAGE_TEXT = 1500;
/** A page of US letter, as it is rendered: scaled to the tokens that an image may have. */
const PAGE = { width: 1275, height: 1650 };
/** Bytes of a page in a document whose pages can't be counted, since its objects are compressed. */
const PAGE_BYTES = 50_000;

/** Tokens of one block. Media that can't be read count as one image of full size: providers refuse them, or fetch them themselves. */
export function mediaTokens(media: Media, sight: ImageSight = IMAGE_SIGHT.standard): number {
  const data: unknown = 'data' in media.source ? media.source.data : undefined;
  if (typeof data !== 'string') return sight.most;
  try {
    if (media.type === 'document') return pagesOf(atob(data)) * (PAGE_TEXT + imageTokens(PAGE, sight));
    const size = imageSize(data);
    return size === null ? sight.most : imageTokens(size, sight);
  } catch {
    // No base64.
    return sight.most;
  }
}

function imageTokens({ width, height }: { readonly width: number; readonly height: number }, { edge, most }: ImageSight): number {
  const scale = Math.min(1, edge / Math.max(width, height));
  return Math.min(most, Math.ceil((width * scale) / PATCH) * Math.ceil((height * scale) / PATCH));
}

function pagesOf(pdf: string): number {
  const written = pdf.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;
  return written > 0 ? written : Math.max(1, Math.round(pdf.length / PAGE_BYTES));
}
