/** The search where there is no ripgrep: reads the project's files and matches them here. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '@sidenote/node';
import { globFilter } from './glob-pattern.js';
import { listFiles } from './list-files.js';
import { bounded, compilePattern, scanText } from './scan-text.js';
import { maxLines, maxSearchMs, type FileHit, type Query, type SearchResult } from './search.js';

const batchSize = 32;
const maxBytes = 4 * 1024 * 1024;
/** Milliseconds that matching one batch may hold up the process. */
const maxMatchMs = 1_000;

export async function searchByScan(query: Query): Promise<SearchResult> {
  const compiled = compilePattern(query);
  if (compiled.type === 'bad-pattern') return compiled;
  const search = { regex: compiled.regex, query };
  const until = performance.now() + maxSearchMs;
  const { files, cut } = await filesOf(query);
  const notes = cut ? ['the folder holds too many files: not all were looked at'] : [];
  const hits: FileHit[] = [];
  let lines = 0;
  let large = 0;
  for (let from = 0; from < files.length; from += batchSize) {
    if (query.signal.aborted) break;
    if (performance.now() > until || lines > maxLines) {
      notes.push(`the search was stopped: ${files.length - from} of ${files.length} files were not looked at`);
      break;
    }
    const texts = await Promise.all(files.slice(from, from + batchSize).map((file) => readFor(query, file)));
    large += texts.filter((one) => one.type === 'large').length;
    const work = () =>
      texts.flatMap((one) => {
        const hit = one.type === 'text' ? scanText(one.file, one.text, search) : undefined;
        return hit === undefined ? [] : [hit];
      });
    const found = bounded(work, maxMatchMs);
    if (found === undefined) return { type: 'bad-pattern', why: 'it takes too long to match: make it simpler, without nested repetition' };
    for (const hit of found.value) {
      hits.push(hit);
      lines += hit.lines.length;
    }
  }
  if (large > 0) notes.push(`${large} files over ${maxBytes / 1024 / 1024} MiB were passed over; search them with Bash`);
  return { type: 'found', hits, notes };
}

async function filesOf({
  folder,
  file,
  glob,
  typeGlobs,
  signal,
}: Query): Promise<{ readonly files: readonly string[]; readonly cut: boolean }> {
  if (file !== undefined) return { files: [file], cut: false };
  const { files, cut } = await listFiles(folder, { signal });
  const byGlob = glob === undefined ? () => true : globFilter(glob);
  const byType = typeGlobs === undefined ? () => true : globFilter(typeGlobs.join(','));
  return { files: files.filter((name) => byGlob(name) && byType(name)).sort(), cut };
}

async function readFor(
  query: Query,
  file: string,
): Promise<{ type: 'text'; file: string; text: string } | { type: 'large' } | { type: 'none' }> {
  const path = join(query.folder, file);
  // A link in the tree may lead out of what the person opened to the model: only a file named by itself is followed.
  if (query.file === undefined && !(await lstat(path).catch(() => undefined))?.isFile()) return { type: 'none' };
  if (!(await query.mayRead(path))) return { type: 'none' };
  const reading = await readTextFile(path, { maxBytes });
  if (reading.type === 'too-large') return { type: 'large' };
  return reading.type === 'text' ? { type: 'text', file, text: reading.text } : { type: 'none' };
}
