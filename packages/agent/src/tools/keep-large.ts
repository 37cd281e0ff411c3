/** What is too long to be shown goes to a file at once, whole; its head, its tail and the path go to the model. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { captureOutput } from '../process/capture.js';
import type { ToolEnvironment } from './environment.js';

/** Characters of one result that are shown; of more, half of it from each end. */
export const maxShownCharacters = 30_000;

type Named = { readonly environment: Pick<ToolEnvironment, 'outputDir'>; /** Beginning of the file's name. */ readonly name: string };

/** The text as it is, or as much of it as may be shown around a line that says where all of it is. */
export function keepLarge(text: string, { environment, name }: Named): string {
  if (text.length <= maxShownCharacters) return text;
  return captured(text, { environment, name }).output;
}

/** Puts all of it into a file; undefined when that can't be written. */
export function keepWhole(text: string, named: Named): string | undefined {
  return captured(text, named).file;
}

function captured(text: string, { environment, name }: Named): ReturnType<ReturnType<typeof captureOutput>['end']> {
  const file = join(environment.outputDir, `${name}-${randomUUID()}.txt`);
  const capture = captureOutput({ file, spillAfter: 0, keep: maxShownCharacters });
  capture.add(text);
  return capture.end();
}
