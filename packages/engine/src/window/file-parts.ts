/** How much of an attachment each instruction file takes. */
import { fileRuns } from '../attachments/parts/file-runs.js';
import { pathsIn } from '../attachments/parts/instruction-text.js';
import type { ChainRecord } from '../transcript/records.js';
import { apportion } from './apportion.js';

export type FilePart = { readonly path: string; readonly characters: number; readonly tokens: number };

const TELLS_FILES: ReadonlySet<string> = new Set(['project_instructions', 'nested_memory']);

/** In the order in which they are told. The words around them keep their share of `whole`. */
export function filesIn(
  records: readonly ChainRecord[],
  whole: { readonly characters: number; readonly tokens: number },
): readonly FilePart[] {
  const told = records.flatMap((record) => (record.type === 'attachment' && TELLS_FILES.has(record.kind) ? [record] : []));
  if (told.length === 0) return [];
  const texts = told.map(({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')).join('\n\n'));
  const runs = told.flatMap(({ effects }, index) => fileRuns(texts[index] ?? '', pathsIn(effects)));
  const lengths = runs.map(({ text }) => text.length);
  const around = texts.reduce((sum, text) => sum + text.length, 0) - lengths.reduce((sum, length) => sum + length, 0);
  const characters = apportion(whole.characters, [...lengths, around]);
  const tokens = apportion(whole.tokens, [...lengths, around]);
  return runs.map(({ path }, index) => ({ path, characters: characters[index] ?? 0, tokens: tokens[index] ?? 0 }));
}
