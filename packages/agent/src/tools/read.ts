/** `Read`: a file as numbered lines, an image or a PDF; what the model has seen already is pointed to. */
import type { FileView, Media, ToolOutcome } from '@sidenote/engine';
import { keepText, numberedPage, readTextFile, splitLines, viewOf, type FileReading } from '@sidenote/node';
import { absolute, shownPath, type ToolEnvironment } from './environment.js';
import { inputOf, integer, optional, text } from './input.js';
import { refused, said } from './outcome.js';
import { missing, sizeText, unusable } from './refusal.js';
import type { Tool, ToolContext } from './tool.js';

export type ReadInput = { readonly file_path: string; readonly offset: number | undefined; readonly limit: number | undefined };

export const maxReadBytes = 64 * 1024 * 1024;
const maxReadLines = 2_000;
const maxImageBytes = 5 * 1024 * 1024;
const maxPdfBytes = 10 * 1024 * 1024;

type TextReading = Extract<FileReading, { readonly type: 'text' }>;
type MediaReading = Extract<FileReading, { readonly type: 'image' | 'pdf' }>;

export function readTool(environment: ToolEnvironment): Tool<ReadInput> {
  const input = inputOf('Read', {
    file_path: text(),
    offset: optional(integer({ min: 0 }, 'first line, from 1')),
    limit: optional(integer({ min: 1 }, 'lines')),
  });
  return {
    spec: {
      name: 'Read',
      description: `Read a text file (numbered lines, at most ${maxReadLines} at once), an image or a PDF.`,
      input_schema: input.schema,
    },
    access: 'read',
    parse: input.parse,
    paths: ({ file_path }) => [absolute(environment, file_path)],
    title: ({ file_path }) => `Read ${shownPath(environment, absolute(environment, file_path))}`,
    async run(value, context) {
      const path = absolute(environment, value.file_path);
      const reading = await readTextFile(path, { maxBytes: maxReadBytes });
      const shown = shownPath(environment, path);
      switch (reading.type) {
        case 'text':
          return readText(reading, { ...value, shown }, context);
        case 'image':
        case 'pdf':
          return readMedia(reading, shown, context);
        case 'missing':
          return refused(await missing(environment, path, value.file_path));
        default:
          return refused(unusable(reading, shown));
      }
    },
  };
}

async function readText(reading: TextReading, asked: ReadInput & { readonly shown: string }, context: ToolContext): Promise<ToolOutcome> {
  const { text: whole, path } = reading;
  const lines = splitLines(whole);
  const first = Math.max(1, asked.offset ?? 1);
  if (first > 1 && first > lines.length) {
    return refused(`${asked.shown} has ${lines.length} lines: there is no line ${first}.`, { effects: [{ type: 'touched', path }] });
  }
  const wanted = Math.min(asked.limit ?? maxReadLines, maxReadLines);
  const page = numberedPage(lines.slice(first - 1, first - 1 + wanted), first);
  const last = first + page.count - 1;
  const isWhole = first === 1 && last === lines.length && !page.cut;
  const view = viewOf({ ...reading, lines: isWhole ? 'all' : [[first, last]] });
  const known = context.views.get(path);
  if (lines.length > 0 && isSeen(known, view)) return said(unchanged(asked.shown), { effects: [{ type: 'touched', path }] });
  await keepText(whole, context.blobs);
  const parts = lines.length === 0 ? [`(${asked.shown} is ${whole === '' ? 'empty' : 'one empty line'})`] : [page.text];
  if (last < lines.length) parts.push(`[lines ${first}-${last} of ${lines.length}; read on with offset ${last + 1}]`);
  if (page.cut) parts.push('[long lines are cut; Grep or Bash shows the rest of them]');
  return said(parts.join('\n'), {
    effects: [
      { type: 'viewed', view },
      { type: 'touched', path },
    ],
  });
}

function readMedia(reading: MediaReading, shown: string, context: ToolContext): ToolOutcome {
  const { path, bytes, mediaType } = reading;
  const limit = reading.type === 'image' ? maxImageBytes : maxPdfBytes;
  if (bytes.byteLength > limit) {
    return refused(`${shown} has ${sizeText(bytes.byteLength)}, over the limit of ${sizeText(limit)} for ${mediaType}.`);
  }
  const view = viewOf({ ...reading, text: bytes });
  if (isSeen(context.views.get(path), view)) return said(unchanged(shown), { effects: [{ type: 'touched', path }] });
  const source = { type: 'base64', media_type: mediaType, data: Buffer.from(bytes).toString('base64') };
  const media: Media = { type: reading.type === 'image' ? 'image' : 'document', source };
  return {
    content: [media],
    effects: [
      { type: 'viewed', view },
      { type: 'touched', path },
    ],
  };
}

const unchanged = (shown: string): string => `${shown} is unchanged since you last saw it: what you have of it above is current.`;

/** The same text, and all of its lines. */
function isSeen(known: FileView | undefined, now: FileView): boolean {
  if (known === undefined || known.digest !== now.digest || known.form !== now.form) return false;
  if (known.lines === 'all') return true;
  const seen = known.lines;
  return now.lines !== 'all' && now.lines.every(([first, last]) => seen.some(([from, to]) => from <= first && last <= to));
}
