/** Reading instruction files with their imports: each file once, and a reason for every one that is not told. */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { InstructionFile } from '@sidenote/engine';
import { isWithin } from '../files/paths.js';
import {
  deniedProblem,
  excludedEntry,
  maxInstructionBytes,
  outsideProblem,
  problemOf,
  untold,
  type Import,
  type Problem,
} from './entry.js';
import type { Place } from './locate.js';
import type { Answer, Exclude as ExcludeGlob } from './options.js';
import { neighboursIn } from './neighbours.js';
import { findNow, readNow, type Found } from './read-now.js';
import { importsOf, renderInstructions, type Rendered } from './render.js';
import { fileOf, type Read } from './told.js';
import type { Checkouts } from './worktree.js';

/** Files that one loading reads: whoever links a disk into a file gets this much of it. */
const maxFiles = 2000;

export type Loaded = InstructionFile & {
  /** Set on files that wait for a touched path. */
  readonly scoped?: {
    /** The glob that an absolute path matches. */
    match(path: string): string | undefined;
    imports(): Promise<readonly Loaded[]>;
  };
};

export type LoadContext = Read['about'] & {
  /** Real paths: imports of project files beyond them need an approval. */
  readonly inside: readonly string[];
  readonly external: Answer;
  readonly importDepth: number;
  mayRead(path: string): Promise<boolean>;
  excluded(path: string, real: string): ExcludeGlob | undefined;
  readonly checkouts: Checkouts;
  /** Files that were read already, by every name of theirs; added to. */
  readonly seen: Map<string, string>;
};

/** Loads places in their order; what isn't there leaves no trace, what is there and not told says why. */
export async function loadPlaces(places: readonly Place[], context: LoadContext): Promise<readonly Loaded[]> {
  const files: Loaded[] = [];
  const texts = new Map<string, string>();
  for (const place of places) {
    const [file, ...imported] = await loadPlace(place, context);
    if (file === undefined) continue;
    const key = `${place.folder}\n${file.text}`;
    const twin = file.status === 'loaded' ? texts.get(key) : undefined;
    files.push(twin === undefined ? file : untold(place, { status: 'shadowed', reason: `the same text as ${twin}` }), ...imported);
    if (file.status === 'loaded') texts.set(key, twin ?? file.path);
  }
  return withoutStaleRefusals(files);
}

async function loadPlace(place: Place, context: LoadContext): Promise<Loaded[]> {
  const { path, off, broken } = place;
  if (broken !== undefined) return [untold(place, { status: 'unreadable', reason: broken, remedy: 'look at the folder' })];
  if (off === undefined) return loadFile(place, context);
  return findNow(path).type === 'missing' ? [] : [untold(place, { status: 'off', reason: off })];
}

async function loadFile(place: Place, context: LoadContext, via?: Import & { readonly found?: Found }): Promise<Loaded[]> {
  const { path } = place;
  const not = (problem: Problem): Loaded[] => [untold(place, problem, via)];
  const found = via?.found ?? findNow(path);
  if (found.type === 'missing' && via === undefined) return isLink(path) ? not({ ...problemOf(found), reason: 'a link to nothing' }) : [];
  if (found.type !== 'found') return not(problemOf(found));
  const { real, key } = found;
  const known = context.seen.get(real) ?? context.seen.get(key);
  if (known !== undefined) {
    return via !== undefined || known === path ? [] : not({ status: 'shadowed', reason: `the same file as ${known}` });
  }
  const excluded = context.excluded(path, real);
  if (excluded !== undefined && place.scope !== 'managed') return [excludedEntry(place, excluded, via)];
  if (via !== undefined && place.scope !== 'managed' && !(await context.mayRead(path))) return not(deniedProblem);
  if (context.external !== 'approved' && isOutside(place, real, context.inside, via)) return not(outsideProblem(context.external));
  if (via !== undefined && via.depth > context.importDepth) {
    return not({
      status: 'too-deep',
      reason: `more than ${context.importDepth} imports deep`,
      remedy: 'import it from a file nearer to the first',
    });
  }
  const copy = place.scope === 'local' && via === undefined ? undefined : context.checkouts.copyOf(real);
  if (copy !== undefined && via !== undefined)
    return loadFile({ ...place, path: copy }, context, { from: via.from, line: via.line, depth: via.depth });
  if (copy !== undefined) return not({ status: 'shadowed', reason: `this worktree has its own copy, ${copy}` });
  if (context.seen.size > 2 * maxFiles) {
    return not({ status: 'too-many', reason: `more than ${maxFiles} files`, remedy: 'import fewer files' });
  }
  const reading = readNow(found, maxInstructionBytes);
  if (reading.type !== 'text') return not(problemOf(reading));
  context.seen.set(real, real).set(key, real);
  const linked = via === undefined ? linkIn(place, reading.text) : undefined;
  if (linked !== undefined) {
    return [...not({ status: 'shadowed', reason: `it only names ${linked}` }), ...(await loadFile({ ...place, path: linked }, context))];
  }
  const rendered = await renderInstructions(reading.text);
  const file = await fileOf(place, { reading, rendered, via, about: context });
  const imports = (): Promise<Loaded[]> => importedFiles({ ...place, real }, rendered, context, via?.depth ?? 0);
  if ('match' in file) {
    const { match, ...waiting } = file;
    return [{ ...waiting, scoped: { match, imports } }];
  }
  if (excluded !== undefined) return [refusedExclude(file, excluded), ...(await imports())];
  return file.status === 'loaded' ? [file, ...(await imports())] : [file];
}

/** A user's own files may import anything; a link of the project counts as what it leads to. */
function isOutside(place: Place, real: string, inside: readonly string[], via: Import | undefined): boolean {
  if (place.scope === 'user' || place.scope === 'managed') return false;
  if ([...inside, ...(place.added === undefined ? [] : [place.added])].some((folder) => isWithin(folder, real))) return false;
  if (via !== undefined || !isWithin(place.folder, place.path)) return true;
  return place.path.includes('/.claude/rules/') && !isWithin(place.folder, real);
}

/** Relative to the file as it is named, else to the one that a link leads to. */
async function importedFiles(
  file: Place & { readonly real: string },
  rendered: Rendered,
  context: LoadContext,
  depth: number,
): Promise<Loaded[]> {
  const { real, ...place } = file;
  const neighbours = neighboursIn([...new Set([dirname(place.path), dirname(real)])], context.home);
  const files: Loaded[] = [];
  for (const { path: written, line } of importsOf(rendered, neighbours)) {
    const { path, found } = neighbours.at(written);
    files.push(...(await loadFile({ ...place, path }, context, { from: real, line, depth: depth + 1, found })));
  }
  return files;
}

/** Where a link can't be made, its text is the whole file: one line that names a markdown file or a neighbour in its folder. */
function linkIn({ path, folder }: Place, text: string): string | undefined {
  const line = text.trim();
  if (line.length > 255 || /[\n@\\]|^\//.test(line) || line === '' || !/\.md$|^[^/]+$/.test(line)) return undefined;
  const target = join(dirname(path), line);
  const found = target === path || !isWithin(folder, target) ? undefined : findNow(target);
  return found?.type === 'found' && found.kind === 'file' ? target : undefined;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function refusedExclude(file: Loaded, { glob, file: source }: ExcludeGlob): Loaded {
  const where = source === undefined ? '' : ` in ${source}`;
  const warning = `${file.path}: files of the organisation can't be excluded; claudeMdExcludes${where} names it (${glob})`;
  return { ...file, reason: `${file.reason}; not excluded by ${glob}, since it is the organisation's`, warning };
}

/** What one place may not import, another may have brought: then nothing is missing. */
function withoutStaleRefusals(files: readonly Loaded[]): readonly Loaded[] {
  const told = new Set(files.filter(({ text }) => text !== '').map(({ path }) => path));
  const said = new Set<string>();
  return files.filter((file) => {
    if (file.text !== '') return true;
    const key = `${file.path}\n${file.status}`;
    if (told.has(file.path) || said.has(key)) return false;
    said.add(key);
    return true;
  });
}
