/** Text of hooks that is too long to be told goes to a file; its head goes to the model, with the path. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countText, head } from '@sidenote/engine';
import type { HookSaid } from './contract.js';

/** Characters that are told as they are. */
const MOST = 10_000;
/** Characters of a longer text that are told. */
const HEAD = 2_000;

/** Files are made in `folder` when there is something for them. One that can't be written costs the rest of the text. */
export async function keepLongText(said: Pick<HookSaid, 'event' | 'hook' | 'text'>, folder: string): Promise<HookSaid> {
  const { event, text } = said;
  if (text.length <= MOST) return said;
  const file = join(folder, `hook-${event}-${randomUUID().slice(0, 8)}.txt`);
  const cut = { ...said, text: head(text, HEAD), characters: text.length };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, text, { mode: 0o600 });
    return { ...cut, file };
  } catch {
    return cut;
  }
}

/** The same as one text: for what is told as a part of something else. `most`: characters that are told as they are. */
export async function shortened(
  said: Pick<HookSaid, 'event' | 'hook' | 'text'>,
  { folder, most = MOST }: { readonly folder: string; readonly most?: number },
): Promise<string> {
  if (said.text.length <= most) return said.text;
  const { text, characters = text.length, file } = await keepLongText(said, folder);
  return `${text}… (${countText(characters)} characters${file === undefined ? '' : `; all of it is in ${file}`})`;
}
