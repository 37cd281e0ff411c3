/**
 * Memories that bear on what was just asked. The look-up starts when the words arrive; what it finds goes out with the earliest
 * message after it is ready, each memory once a window, and no request ever waits for it.
 */
import type { Json } from '../../content/content.js';
import { head } from '../../content/text.js';
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import type { Memory } from '../ports.js';
import { decodeFiles, effectsOfFiles, isTold, keepTexts, notesOf, pathsIn, tellFiles } from '../parts/instruction-text.js';
import { fitting, member } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { effectsIn, fullyShown } from '../parts/views.js';

type Data = { readonly files: readonly Memory[] };

const INTRO =
  'Memories that may bear on this, written down in earlier sessions. Each was true when it was written: check what you rely on, and correct a memory that turns out to be wrong.';
/** Characters of a reason that a record keeps. */
const LONGEST_WHY = 200;

/** Paths that the model has, recalled, told with the instructions, or read in full. */
const known: Fold<Set<string>> = {
  name: 'relevant-memories',
  scope: 'window',
  on: ['tool_result', 'attachment'],
  initial: () => new Set(),
  step(paths, record) {
    const told = isKind(record, 'relevant_memories') || isKind(record, 'project_instructions');
    for (const path of told ? pathsIn(record.effects) : fullyShown(effectsIn(record))) paths.add(path);
    return paths;
  },
};

export const relevantMemories = defineAttachment({
  kind: 'relevant_memories',
  version: 1,
  needs: ['recall', 'blobs'],
  group: 'thread',
  wait: 'may',
  last: true,
  trust: 'third-party',
  told: known,
  decode: decodeFiles,
  collect(moment, told, { recall, blobs }) {
    const found = moment.prompt === undefined ? null : recall.take(moment.prompt);
    if (found === null) return { type: 'nothing' };
    const shown = new Set(fullyShown(moment.effects));
    const fresh = (file: Memory): boolean => isTold(file) && !told.has(file.path) && !shown.has(file.path);
    const files = found.filter((file) => fresh(file) && (moment.isMain || file.mainOnly !== true));
    const notes = notesOf(found);
    if (files.length === 0) return { type: 'nothing', ...notes };
    return keepTexts(files, blobs).then(() => ({ type: 'new' as const, data: { files }, ...notes }));
  },
  render({ files }: Data, room) {
    const { text, ...cut } = tellFiles(files, { tokens: room.tokens, intro: INTRO });
    return { content: [{ type: 'text', text }], ...cut };
  },
  keep: ({ files }) => ({
    count: files.length,
    files: fitting(
      files.map(({ path, scope, view, reason }) => ({ path, scope, digest: view?.digest ?? null, why: head(reason, LONGEST_WHY) })),
    ),
  }),
  effects: ({ files }) => effectsOfFiles(files),
  title: ({ files }) => `memories: ${names(files.map(({ path }) => path.split(/[\\/]/).at(-1) ?? path))}`,
  reason: ({ files }) => (files.length === 1 ? (files[0]?.reason ?? '') : 'recalled for what was asked'),
});

/** A memory that this session was told, and why. */
export type Recalled = { readonly path: string; readonly why: string };

/** Fold: every memory that was recalled in this session, whichever window it was in, by path; the last reason counts. */
export const recalledMemories: Fold<Map<string, Recalled>> = {
  name: 'recalled-memories',
  scope: 'session',
  on: ['attachment'],
  initial: () => new Map(),
  step(all, record) {
    if (!isKind(record, 'relevant_memories')) return all;
    const files = member(record.data, 'files');
    for (const file of Array.isArray(files) ? files : []) {
      const [path, why] = [member(file as Json, 'path'), member(file as Json, 'why')];
      if (typeof path === 'string') all.set(path, { path, why: typeof why === 'string' ? why : '' });
    }
    return all;
  },
};
