/** `Write`: a whole file, new or in place of one that the model has seen all of. */
import { readTextFile, realPathOf, splitLines, type FileReading } from '@sidenote/node';
import type { ToolOutcome } from '@sidenote/engine';
import { absolute, shownPath, type ToolEnvironment } from './environment.js';
import { withFileLock } from './file-lock.js';
import { inputOf, text } from './input.js';
import { refused, said } from './outcome.js';
import { maxReadBytes } from './read.js';
import { unusable } from './refusal.js';
import { saveText } from './save-text.js';
import { objection } from './seen-text.js';
import type { Tool, ToolContext } from './tool.js';

export type WriteInput = { readonly file_path: string; readonly content: string };

export function writeTool(environment: ToolEnvironment): Tool<WriteInput> {
  const input = inputOf('Write', { file_path: text(), content: text() });
  return {
    spec: {
      name: 'Write',
      description: 'Write a whole file. One that exists must have been read in full; for changes use Edit.',
      input_schema: input.schema,
    },
    access: 'write',
    parse: input.parse,
    paths: ({ file_path }) => [absolute(environment, file_path)],
    title: ({ file_path }) => `Write ${shownPath(environment, absolute(environment, file_path))}`,
    async run({ file_path, content }, context) {
      const path = absolute(environment, file_path);
      const file = { path, shown: shownPath(environment, path), content };
      return withFileLock(await realPathOf(path), () => write(file, { ...context, ...environment }));
    },
  };
}

async function write(
  file: { readonly path: string; readonly shown: string; readonly content: string },
  context: ToolContext & ToolEnvironment,
): Promise<ToolOutcome> {
  const { path, shown, content } = file;
  const reading = await readTextFile(path, { maxBytes: maxReadBytes });
  if (reading.type === 'image' || reading.type === 'pdf')
    return refused(`${shown} is a ${reading.mediaType}: remove it first if text is to take its place.`);
  if (reading.type !== 'text' && reading.type !== 'missing') return refused(unusable(reading, shown));
  const before = reading.type === 'text' ? reading : undefined;
  const known = before === undefined ? undefined : context.views.get(before.path);
  // Nothing can be lost of an empty file.
  if (before !== undefined && before.text !== '') {
    const against = objection(before, known, { shown, lines: 'all' });
    if (against !== undefined) return refused(against);
  }
  const saved = await saveText({ path, text: withLineEnds(content, before), before, known: undefined }, context);
  if (saved.type === 'failed') return refused(`${shown} can't be written: ${saved.why}.`);
  const count = splitLines(content).length;
  const what = `${saved.created ? 'Created' : 'Wrote'} ${shown} (${count} ${count === 1 ? 'line' : 'lines'})`;
  return said(`${what}${saved.note === undefined ? '' : `; ${saved.note}`}.`, { effects: saved.effects, display: saved.display });
}

/** Models write `\n` and are shown no `\r`: a file that has CRLF throughout keeps it. */
function withLineEnds(content: string, before: Extract<FileReading, { type: 'text' }> | undefined): string {
  return before?.eol === '\r\n' && !content.includes('\r\n') ? content.replaceAll('\n', '\r\n') : content;
}
