/** From media as stored to media as sent: the closed list of what a request may hold, checked by its bytes. */
import type { Media } from './content.js';
import { imageSize } from './image-size.js';
import { isBlank } from './text.js';

/** Media as it may go out. Types are mutable so that an SDK's parameter types accept them. */
export type WireMedia =
  | { type: 'image'; source: { type: 'base64'; media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'; data: string } }
  | { type: 'document'; source: { type: 'base64'; media_type: 'application/pdf'; data: string } }
  | { type: 'document'; source: { type: 'text'; media_type: 'text/plain'; data: string } };

type ImageType = (WireMedia & { type: 'image' })['source']['media_type'];

/** Characters of base64. Source: messages-api, vision limits (10 MB per image), 2026-08-22. */
const LARGEST_IMAGE = 10 * 1024 * 1024;

/** Pixels of the longer side. Same source. */
const LONGEST_SIDE = 8000;

/** First bytes of each format. */
const SIGNATURES: Record<ImageType, RegExp> = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8/,
  'image/webp': /^RIFF[^]{4}WEBP/,
};

type Fields = { readonly type: string; readonly media_type?: unknown; readonly data?: unknown };

/** The words of a document that is plain text, or null. */
export function documentText({ type, source }: Media): string | null {
  const { media_type: kind, data }: Fields = source;
  return type === 'document' && source.type === 'text' && kind === 'text/plain' && typeof data === 'string' ? data : null;
}

/**
 * The block as it may go out, or null: neither base64 nor plain text, a type that providers refuse, too large, broken, or
 * other bytes than its type says.
 */
export function wireMedia(media: Media): WireMedia | null {
  const text = documentText(media);
  if (text !== null) return isBlank(text) ? null : { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text } };
  const source: Fields = media.source;
  const { data, media_type: type } = source;
  if (source.type !== 'base64' || typeof data !== 'string' || !isBase64(data)) return null;
  if (media.type === 'document') {
    return type === 'application/pdf' && startBytes(data).startsWith('%PDF')
      ? { type: 'document', source: { type: 'base64', media_type: type, data } }
      : null;
  }
  if (!isImageType(type) || data.length > LARGEST_IMAGE || !SIGNATURES[type].test(startBytes(data))) return null;
  const size = imageSize(data);
  if (size === null || size.width > LONGEST_SIDE || size.height > LONGEST_SIDE) return null;
  return { type: 'image', source: { type: 'base64', media_type: type, data } };
}

function isImageType(type: unknown): type is ImageType {
  return typeof type === 'string' && Object.hasOwn(SIGNATURES, type);
}

/** Without a greedy loop: images run to megabytes. */
function isBase64(data: string): boolean {
  if (data === '' || data.length % 4 !== 0) return false;
  const padding = data.indexOf('=');
  if (padding !== -1 && !(padding >= data.length - 2 && data.endsWith('='))) return false;
  return !/[^A-Za-z0-9+/=]/.test(data);
}

/** The first bytes as a string of one character per byte. */
function startBytes(data: string): string {
  return atob(data.slice(0, 32));
}
