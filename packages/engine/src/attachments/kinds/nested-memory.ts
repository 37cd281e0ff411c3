/** Instruction files of a folder that the model has just entered, and rules for files like those it touched: each once per window. */
import type { Fold } from '../../transcript/fold.js';
import type { Effect } from '../../transcript/records.js';
import { defineAttachment, isKind } from '../contract.js';
import type { InstructionFile } from '../ports.js';
import { decodeFiles, effectsOfFiles, isTold, keepFiles, keepTexts, notesOf, pathsIn, tellFiles } from '../parts/instruction-text.js';
import { names } from '../parts/names.js';
import { effectsIn, fullyShown, lostIn } from '../parts/views.js';

type Touch = { readonly path: string; readonly call: string | undefined };
type Told = {
  /** Instruction files that the model has, told or read in full, and not lost since. */
  readonly files: Set<string>;
  /** Every touch in this window, in order. */
  readonly touches: Touch[];
};
type Data = { readonly files: readonly InstructionFile[]; readonly call: string | undefined };

const INTRO =
  'Instructions for files that were just touched; they add to those of the project. Where two disagree, the later one, which is nearer, counts.';

/** How many touches of a told state are known to bring nothing. Only a memory: without it they are asked for once more. */
const answered = new WeakMap<Readonly<Told>, number>();

export const nestedMemory = defineAttachment({
  kind: 'nested_memory',
  version: 1,
  needs: ['nested', 'blobs'],
  group: 'thread',
  wait: 'must',
  trust: 'user',
  again: 'when-touched',
  told: nestedFold(),
  decode: decodeFiles,
  async collect(moment, told, { nested, blobs }) {
    const count = told.touches.length;
    const touches = [...told.touches.slice(answered.get(told) ?? 0), ...touchesOf(moment.effects, undefined)];
    if (touches.length === 0) return { type: 'nothing' };
    const found = await nested.below([...new Set(touches.map(({ path }) => path))], moment.signal);
    if (moment.signal.aborted) return { type: 'unavailable', why: 'interrupted' };
    const shown = new Set(fullyShown(moment.effects));
    const files = found.filter((file) => isTold(file) && !told.files.has(file.path) && !shown.has(file.path));
    const notes = notesOf(found);
    if (files.length === 0) {
      answered.set(told, count);
      return { type: 'nothing', ...notes };
    }
    await keepTexts(files, blobs);
    return { type: 'new', data: { files, call: touches.at(-1)?.call }, ...notes };
  },
  render({ files }: Data, room) {
    const { text, ...cut } = tellFiles(files, { tokens: room.tokens, intro: INTRO });
    return { content: [{ type: 'text', text }], ...cut };
  },
  keep: ({ files }) => keepFiles(files),
  effects: ({ files }) => effectsOfFiles(files),
  call: ({ call }) => call,
  title: ({ files }) => `instructions: ${names(files.map(({ path }) => path))}`,
  reason: () => 'something in their folders was touched',
});

function nestedFold(): Fold<Told> {
  return {
    name: 'nested-memory',
    scope: 'window',
    on: ['tool_result', 'attachment'],
    initial: () => ({ files: new Set(), touches: [] }),
    step(state, record) {
      if (isKind(record, 'nested_memory') || isKind(record, 'project_instructions')) {
        for (const path of pathsIn(record.effects)) state.files.add(path);
        return state;
      }
      const effects = effectsIn(record);
      if (isKind(record, 'changed_files')) for (const path of lostIn(effects)) state.files.delete(path);
      for (const path of fullyShown(effects)) state.files.add(path);
      // What was changed by others is no step of the model into a folder.
      if (!isKind(record, 'changed_files'))
        state.touches.push(...touchesOf(effects, record.type === 'tool_result' ? record.call : undefined));
      return state;
    },
  };
}

function touchesOf(effects: readonly Effect[], call: string | undefined): readonly Touch[] {
  return effects.flatMap((effect) => {
    if (effect.type === 'touched') return [{ path: effect.path, call }];
    return effect.type === 'viewed' || effect.type === 'wrote' ? [{ path: effect.view.path, call }] : [];
  });
}
