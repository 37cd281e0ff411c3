/** Reading instruction files with their imports: each file once, and a reason for every one that is not told. */
import { dirname } from 'node:path';
import type { InstructionFile } from '@sidenote/engine';
import type { AtPath } from '../files/at-paths.js';
import { isWithin, realPathOf, resolveFrom } from '../files/paths.js';
import { readTextFile, type FileReading } from '../files/read.js';
import { lookSync } from '../files/stat.js';
import { viewOf } from '../files/view.js';
import type { Place } from './locate.js';
import { importsOf, renderInstructions, type Rendered } from './render.js';
import type { Counterpart } from './worktree.js';

/** Bytes of one file, and hops of imports. */
export const maxInstructionBytes = 4 * 1024 * 1024;
export const maxImportDepth = 5;

/** Globs are relative to `base`. */
export type Scoped = { readonly globs: readonly string[]; readonly base: string };

export type Loaded = InstructionFile & {
  /** Set on files that wait for a touched path. */
  readonly scoped?: Scoped & { imports(): Promise<readonly Loaded[]> };
};

export type LoadContext = {
  readonly home: string;
  /** Real path: imports of project files beyond it need an approval. */
  readonly root: string;
  readonly external: 'approved' | 'declined' | 'unasked';
  readonly isExcluded: (path: string) => boolean;
  readonly copyOf: Counterpart;
  /** Real paths that were read already; added to. */
  readonly read: Set<string>;
};

type Import = { readonly from: string; readonly line: number; readonly depth: number };

/** Loads places in their order; what isn't there leaves no trace, what is there and not told says why. */
export async function loadPlaces(places: readonly Place[], context: LoadContext): Promise<readonly Loaded[]> {
  const files: Loaded[] = [];
  const texts = new Map<string, string>();
  for (const place of places) {
    const key = (file: Loaded): string => `${place.folder}\n${file.text}`;
    const [file, ...imported] = await loadFile(place, context);
    if (file === undefined) continue;
    const twin = file.status === 'loaded' ? texts.get(key(file)) : undefined;
    if (twin === undefined) files.push(file);
    else files.push({ ...unread(place, 'shadowed', `same text as ${twin}`) });
    if (file.status === 'loaded') texts.set(key(file), twin ?? file.path);
    files.push(...imported);
  }
  return withoutStaleRefusals(files);
}

async function loadFile(place: Place, context: LoadContext, via?: Import): Promise<Loaded[]> {
  const { path } = place;
  const not = (status: string, reason: string): Loaded[] => [unread(place, status, via ? `${reason}; ${importedBy(via)}` : reason)];
  const real = await realPathOf(path);
  if (context.read.has(real)) return [];
  if (context.isExcluded(path) || context.isExcluded(real)) return not('excluded', 'excluded by the setting claudeMdExcludes');
  if (context.external !== 'approved' && isOutside(place, real, { root: context.root, imported: via !== undefined })) {
    return not(
      'outside',
      `outside the project, and imports from there are ${context.external === 'declined' ? 'declined' : 'not approved'}`,
    );
  }
  if (via !== undefined && via.depth > maxImportDepth) return not('too-deep', `more than ${maxImportDepth} imports deep`);
  const copy = await context.copyOf(real);
  if (copy !== undefined) return not('shadowed', `this worktree has its own copy, ${copy}`);
  const reading = await readTextFile(path, { maxBytes: maxInstructionBytes });
  if (reading.type === 'missing') return via ? not('missing', 'there is no such file') : [];
  if (reading.type !== 'text') return not(...problemOf(reading));
  context.read.add(real);
  const rendered = await renderInstructions(reading.text);
  const imports = (): Promise<Loaded[]> => importedFiles(place, rendered, context, via?.depth ?? 0);
  const file = fileOf(place, reading, rendered, via);
  const { scoped, ...told } = file;
  if (scoped !== undefined) return [{ ...told, scoped: { ...scoped, imports } }];
  return told.status === 'loaded' ? [told, ...(await imports())] : [told];
}

/** A user's own files may import anything; a link of the project counts as what it leads to. */
function isOutside(place: Place, real: string, at: { readonly root: string; readonly imported: boolean }): boolean {
  if (place.scope === 'user' || isWithin(at.root, real)) return false;
  return at.imported || (place.path.includes('/.claude/rules/') && !isWithin(place.base, real));
}

type Placed = InstructionFile & { readonly scoped?: Scoped };

function fileOf(place: Place, reading: Extract<FileReading, { type: 'text' }>, rendered: Rendered, via: Import | undefined): Placed {
  const { scope, text } = rendered;
  if (scope.type === 'broken') return unread(place, 'unusable', scope.why);
  if (text === '') return unread(place, 'empty', 'nothing in it but comments and front matter');
  const view = viewOf({ path: reading.path, text, stat: reading.stat, form: 'instructions' });
  const why = [via ? importedBy(via) : `${place.scope} instructions`, ...rendered.notes];
  if (reading.encoding === 'latin1') why.push('read as latin1');
  if (reading.path !== place.path) why.push(`found as ${place.path}`);
  // The real path, as in the view: one file has one name, whichever way leads to it.
  const file = { path: reading.path, scope: place.scope, text, view };
  if (scope.type === 'always') return { ...file, status: 'loaded', reason: why.join('; ') };
  const globs = scope.globs.length === 0 ? 'no file (`paths` is empty)' : scope.globs.join(', ');
  return { ...file, status: 'scoped', reason: `for ${globs}`, scoped: { globs: scope.globs, base: place.base } };
}

async function importedFiles(place: Place, rendered: Rendered, context: LoadContext, depth: number): Promise<Loaded[]> {
  const target = (path: string): string => resolveFrom(dirname(place.path), path, context.home);
  const isFile = (path: string): boolean => {
    const looked = lookSync(target(path));
    return looked.type === 'found' && looked.kind !== 'directory';
  };
  const files: Loaded[] = [];
  for (const found of importsOf(rendered, isFile)) {
    const via = { from: place.path, line: lineOf(rendered.prose, found), depth: depth + 1 };
    files.push(...(await loadFile({ ...place, path: target(found.path) }, context, via)));
  }
  return files;
}

function problemOf(reading: Exclude<FileReading, { type: 'text' | 'missing' }>): [status: string, reason: string] {
  switch (reading.type) {
    case 'too-large':
      return ['too-large', `${reading.size} bytes, over the limit of ${maxInstructionBytes}`];
    case 'unreadable':
      return ['unreadable', `it can't be read (${reading.why})`];
    case 'special':
      return ['unusable', `a ${reading.kind}, not a regular file`];
    case 'directory':
      return ['unusable', 'a folder, not a file'];
    default:
      return ['unusable', `${reading.type === 'binary' ? 'a binary file' : `of type ${reading.mediaType}`}, not text`];
  }
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

function unread(place: Place, status: string, reason: string): InstructionFile {
  return { path: place.path, scope: place.scope, text: '', status, reason };
}

function importedBy({ from, line }: Import): string {
  return `imported by ${from}, line ${line} of its text`;
}

function lineOf(prose: string, { at }: AtPath): number {
  return prose.slice(0, at).split('\n').length;
}
