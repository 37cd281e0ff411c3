/**
 * The port behind change notices: what others did to the files that a model has seen, as bounded diffs against what
 * it saw. Each change carries the view that holds once it was told, so that nothing is told twice.
 */
import { countText, type Blobs, type FileChange, type FileView, type Ports } from '@sidenote/engine';
import type { GitPlace } from '../git/run-git.js';
import { renderInstructions } from '../instructions/render.js';
import { movedFiles, stampOf, type Known, type Moved } from './current.js';
import { editOf, type Room } from './edit.js';
import { realPathOf } from './paths.js';
import { readTextFile, type FileReading } from './read.js';
import { renamed, type Search } from './renames.js';
import { digestOf } from './digest.js';
import { keepText, viewOf } from './view.js';

/** Changed lines and characters told of all files together. */
export const maxChangedLines = 300;
const maxCharacters = 40_000;
/** Milliseconds of looking for smallest differences, all files together. */
const maxDiffMs = 600;

/**
 * Looks at files when it is asked, and only then. A file counts as unchanged when size, modification time (in
 * nanoseconds) and inode are those of the view, unless the view is `racy`: then, and when the stat moved, its text
 * decides. A view without any seen line was told to be stale, so of its file only the end is told.
 */
export function fileChanges({ env = process.env }: { readonly env?: GitPlace['env'] } = {}): NonNullable<Ports['changes']> {
  const known: Known = new Map();
  return {
    async since(views, blobs, signal) {
      const changes: FileChange[] = [];
      const room: Room = { lines: maxChangedLines, characters: maxCharacters, diffMs: maxDiffMs };
      const taken = new Set(views.map((view) => view.path));
      const search: Search = { taken, git: { env, signal }, folders: new Map(), repositories: new Map() };
      for (const moved of await movedFiles(views, known, signal)) {
        if (signal.aborted) break;
        const change =
          moved.now.type === 'gone'
            ? await goneFrom(moved.view, search)
            : await changeOf(moved, { blobs, room, known, taken: search.taken });
        if (change !== undefined) changes.push(change);
      }
      return changes;
    },
  };
}

async function goneFrom(view: FileView, search: Search): Promise<FileChange | undefined> {
  const next = await renamed(view, search);
  // Nobody knows then where it went: it is looked for once more.
  if (search.git.signal.aborted) return undefined;
  if (next === undefined) return { path: view.path, change: 'deleted', hunks: [], view: null };
  return { path: view.path, change: 'renamed', hunks: [], view: next, to: next.path };
}

async function changeOf(
  { view, now }: Moved,
  at: { readonly blobs: Blobs; readonly room: Room; readonly known: Known; readonly taken: ReadonlySet<string> },
): Promise<FileChange | undefined> {
  if (now.type !== 'found') return undefined;
  if (now.kind !== 'file') {
    const note = now.kind === 'directory' ? 'a folder has this name now' : 'it is no regular file any more';
    return { path: view.path, change: 'deleted', hunks: [], view: null, note };
  }
  if (view.lines !== 'all' && view.lines.length === 0) return undefined;
  // What became a link to another file that was seen is told of under that name.
  const real = await realPathOf(view.path);
  if (real !== view.path && at.taken.has(real)) return undefined;
  const reading = await readTextFile(view.path);
  const state = await stateOf(reading, view.form);
  if (state === undefined) return undefined;
  if (digestOf(state.text) === view.digest) {
    if (!state.stat.racy) at.known.set(view.path, stampOf(view, state.stat));
    return undefined;
  }
  const next = (lines: FileView['lines']): FileView => viewOf({ ...state, path: view.path, lines, form: view.form });
  if (reading.type !== 'text' || typeof state.text !== 'string') {
    return { path: view.path, change: 'edited', hunks: [], view: next([]), note: `${kindOf(reading)}; read it again if it matters` };
  }
  await keepText(state.text, at.blobs);
  const before = await at.blobs.get(view.digest);
  // Instructions hold from now on: what they say is never left to be looked up.
  const edit = await editOf({ before, after: state.text, lines: view.lines, room: at.room, orWhole: view.form === 'instructions' });
  const { lines, ...told } = edit;
  return { path: view.path, change: 'edited', view: next(lines), ...told };
}

/** What is compared: the text in the form of the view, or the bytes. Undefined: it can't be told now. */
async function stateOf(
  reading: FileReading,
  form: FileView['form'],
): Promise<Pick<Parameters<typeof viewOf>[0], 'text' | 'stat'> | undefined> {
  switch (reading.type) {
    case 'text':
      return { text: form === 'raw' ? reading.text : (await renderInstructions(reading.text)).text, stat: reading.stat };
    case 'image':
    case 'pdf':
    case 'encrypted':
    case 'binary':
      return { text: reading.bytes, stat: reading.stat };
    case 'too-large':
      return { text: new TextEncoder().encode(`${reading.size} ${reading.stat.mtimeNs}`), stat: reading.stat };
    default:
      return undefined;
  }
}

function kindOf(reading: FileReading): string {
  if (reading.type === 'image') return 'the image changed';
  if (reading.type === 'pdf') return 'the document changed';
  if (reading.type === 'encrypted') return 'the document is encrypted now';
  if (reading.type === 'too-large') return `it has ${countText(reading.size)} bytes now`;
  return 'it is a binary file now';
}
