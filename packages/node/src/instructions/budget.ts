/** A budget for all files that are told at the start: what is over it is cut, and says so in its text. */
import { headOf } from '../files/lines.js';
import type { Loaded } from './load.js';

/** Low for prose and code, so that a text that fits by this measure fits by any. */
const charactersPerToken = 3;

/** Keeps those of the organisation, then the last, which are the nearest, whole for as long as they fit. */
export function withinBudget(files: readonly Loaded[], tokens: number | undefined): readonly Loaded[] {
  if (tokens === undefined) return files;
  let left = tokens * charactersPerToken;
  const cut = new Map<Loaded, Loaded>();
  const managed = (file: Loaded): boolean => file.scope === 'managed';
  for (const file of [...files.filter(managed), ...files.filter((one) => !managed(one)).reverse()]) {
    if (file.status !== 'loaded') continue;
    if (file.text.length > left) cut.set(file, cutTo(file, left, tokens));
    left = Math.max(0, left - file.text.length);
  }
  return files.map((file) => cut.get(file) ?? file);
}

function cutTo(file: Loaded, room: number, tokens: number): Loaded {
  const head = room === 0 ? '' : headOf(file.text, room);
  const text = head.slice(0, head.lastIndexOf('\n') + 1 || head.length).trimEnd();
  const reason = `the first ${text.length} of ${file.text.length} characters; the setting instructions.budget gives all files ${tokens} tokens`;
  const { view, ...rest } = file;
  // Compared with the whole on disk; of what was left out, that it changed is told.
  const watched =
    view === undefined || text === '' ? {} : { whole: file.text, view: { ...view, lines: [[1, text.split('\n').length]] as const } };
  return { ...rest, ...watched, text, status: 'cut', reason, warning: `${file.path} is told in part: ${reason}` };
}
