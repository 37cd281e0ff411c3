/** The port behind `@path` in prompts: which words are paths, and what they turn out to hold. */
import type { Blobs, Mention, MentionReading, Ports } from '@sidenote/engine';
import { atPaths } from './at-paths.js';
import { withoutCode } from './code-ranges.js';
import { listDirectory, listingText } from './directory.js';
import { clip, maxLineLength, splitLines } from './lines.js';
import { realPathOf, resolveFrom } from './paths.js';
import { readTextFile, type FileReading } from './read.js';
import { lookSync } from './stat.js';
import { keepText, viewOf } from './view.js';

/** Shown of one mention: lines and characters, and the size that a whole image or document may have. */
export const maxMentionLines = 2000;
export const maxMentionCharacters = 50_000;
const maxImageBytes = 5 * 1024 * 1024;
const maxPdfBytes = 10 * 1024 * 1024;
const maxFileBytes = 64 * 1024 * 1024;

export type MentionOptions = {
  readonly cwd: string;
  /** What `~/` means; default the account's home. */
  readonly home?: string;
  /** Why a path may not be read, or null. It is asked for the path as written and for the real one. */
  readonly deny?: (path: string) => string | null;
};

/** Looks at files when it is asked, and only then. Paths are relative to `cwd`. */
export function fileMentions(options: MentionOptions): NonNullable<Ports['mentions']> {
  const absolute = (path: string): string => resolveFrom(options.cwd, path, options.home);
  const isNamed = (path: string): boolean => {
    const looked = lookSync(absolute(path));
    // A folder is written with a slash; `@test` alone is more often an annotation.
    return looked.type === 'found' && (looked.kind !== 'directory' || path.includes('/'));
  };
  return {
    find(text) {
      const found = new Map<string, Mention>();
      for (const { raw, path, lines } of atPaths(withoutCode(text), isNamed)) {
        const key = `${path}\n${lines?.join('-') ?? ''}`;
        if (!found.has(key)) found.set(key, { raw, path, ...(lines === undefined ? {} : { lines }) });
      }
      return [...found.values()];
    },
    async read(mention, blobs) {
      const path = absolute(mention.path);
      const real = await realPathOf(path);
      const why = options.deny?.(path) ?? (real === path ? null : options.deny?.(real)) ?? null;
      if (why !== null) return { type: 'refused', path, why };
      return shown(await readTextFile(path, { maxBytes: maxFileBytes }), { path, mention, blobs });
    },
  };
}

type Asked = { readonly path: string; readonly mention: Mention; readonly blobs: Blobs };

async function shown(reading: FileReading, asked: Asked): Promise<MentionReading> {
  const { path } = asked;
  const unusable = (why: string): MentionReading => ({ type: 'unusable', path, why });
  switch (reading.type) {
    case 'text':
      return textOf(reading, asked);
    case 'image':
    case 'pdf': {
      const size = reading.bytes.byteLength;
      const limit = reading.type === 'image' ? maxImageBytes : maxPdfBytes;
      if (size > limit) return unusable(`${bytes(size)}, over the limit of ${bytes(limit)} for ${reading.mediaType}`);
      const source = { type: 'base64', media_type: reading.mediaType, data: Buffer.from(reading.bytes).toString('base64') };
      const content = { type: reading.type === 'image' ? ('image' as const) : ('document' as const), source };
      return { type: 'media', path: reading.path, content, view: viewOf({ ...reading, text: reading.bytes }) };
    }
    case 'directory': {
      const listing = await listDirectory(path);
      if (listing.type === 'unreadable') return unusable(`the folder can't be listed (${listing.why})`);
      return { type: 'directory', path: reading.path, text: listingText(listing) };
    }
    case 'encrypted':
      return unusable('an encrypted PDF');
    case 'binary':
      return unusable(`a binary file of ${bytes(reading.stat.size)}`);
    case 'too-large':
      return unusable(`${bytes(reading.size)}, too large to be read as text`);
    case 'special':
      return unusable(`a ${reading.kind === 'fifo' ? 'named pipe (fifo)' : reading.kind}, not a regular file`);
    case 'missing':
      return { type: 'missing', path, why: 'there is no such file' };
    case 'unreadable':
      return unusable(`it can't be read (${reading.why})`);
  }
}

async function textOf(reading: Extract<FileReading, { type: 'text' }>, { path, mention, blobs }: Asked): Promise<MentionReading> {
  const { text, stat } = reading;
  const all = splitLines(text);
  const [first, wanted] = mention.lines ?? [1, Number.MAX_SAFE_INTEGER];
  if (mention.lines !== undefined && (first > all.length || first < 1)) {
    return { type: 'unusable', path, why: `lines ${first}-${wanted} were asked for, the file has ${all.length}` };
  }
  const part = numbered(all.slice(first - 1, Math.min(wanted, first - 1 + maxMentionLines)), first);
  const last = first + part.count - 1;
  const end = Math.min(wanted, all.length);
  const whole = first === 1 && last === all.length && !part.cut;
  await keepText(text, blobs);
  const view = viewOf({ path: reading.path, text, stat, lines: whole ? 'all' : [[first, last]] });
  const note = last < end ? `lines ${first}-${last} of ${all.length}; read on with Read, offset ${last + 1}` : undefined;
  const notes = [note, part.cut ? `lines over ${maxLineLength} characters are cut` : undefined].filter((one) => one !== undefined);
  return { type: 'file', path: reading.path, text: part.text, view, ...(notes.length === 0 ? {} : { note: notes.join('; ') }) };
}

/** As many whole lines as the room takes, at least one. */
export function numbered(
  lines: readonly string[],
  first: number,
): { readonly text: string; readonly count: number; readonly cut: boolean } {
  const taken: string[] = [];
  let length = 0;
  let cut = false;
  for (const line of lines) {
    const text = `${first + taken.length}\t${clip(line, maxLineLength)}`;
    length += text.length + 1;
    if (length > maxMentionCharacters && taken.length > 0) break;
    cut ||= line.length > maxLineLength;
    taken.push(text);
  }
  return { text: taken.join('\n'), count: taken.length, cut };
}

function bytes(count: number): string {
  if (count < 1024) return `${count} bytes`;
  return count < 1024 * 1024 ? `${Math.round(count / 1024)} kB` : `${(count / 1024 / 1024).toFixed(1)} MB`;
}
