/** Adds a server to a file, or takes one out; everything else in the file stays as it is, comments included. */
import { readTextFile } from '../files/read.js';
import { writeTextFile } from '../files/write.js';
import { parseConfig } from './config-file.js';

export type ConfigEdit = {
  readonly file: string;
  readonly name: string;
  /** Under `projects.<folder>`, for servers of one person in one project. */
  readonly folder?: string;
  /** Undefined: taken out. */
  readonly entry: Readonly<Record<string, unknown>> | undefined;
};

export type ConfigEdited =
  | { readonly type: 'written'; /** There was one of this name. */ readonly replaced: boolean }
  | { readonly type: 'absent' }
  | { readonly type: 'failed'; readonly why: string };

/** A file that can't be read as JSON is left alone. Never rejects. */
export async function editConfig({ file, name, folder, entry }: ConfigEdit): Promise<ConfigEdited> {
  const reading = await readTextFile(file);
  if (reading.type !== 'text' && reading.type !== 'missing') return { type: 'failed', why: `it can't be read (${reading.type})` };
  const text = reading.type === 'missing' || reading.text.trim() === '' ? '{}\n' : reading.text;
  const { servers, projects, problems } = await parseConfig(text, file);
  if (problems.some((problem) => problem.includes('not valid JSON'))) return { type: 'failed', why: 'it is not valid JSON' };
  const known = folder === undefined ? servers : (projects[folder] ?? {});
  const replaced = Object.hasOwn(known, name);
  if (entry === undefined && !replaced) return { type: 'absent' };
  const { applyEdits, modify } = await import('jsonc-parser');
  const path = [...(folder === undefined ? [] : ['projects', folder]), 'mcpServers', name];
  const edits = modify(text, path, entry, { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } });
  const written = await writeTextFile(file, applyEdits(text, edits));
  return written.type === 'written' ? { type: 'written', replaced } : written;
}
