/** The instruction files that apply from the start, told once per window; a file that appears later is told by itself. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import type { InstructionFile } from '../ports.js';
import { decodeFiles, effectsOfFiles, isTold, keepFiles, keepTexts, notesOf, pathsIn, tellFiles } from '../parts/instruction-text.js';

type Data = { readonly files: readonly InstructionFile[]; readonly first: boolean };

const INTRO =
  'Instructions from files of the user and of this project, in load order. Where two of them disagree, the later one, which is nearer to the working folder, counts.';
const LATER = 'Instruction files that apply from now on, besides those told before:';

/** Paths told in this window. */
export const toldInstructions: Fold<Set<string>> = {
  name: 'project-instructions',
  scope: 'window',
  on: ['attachment'],
  initial: () => new Set(),
  step(told, record) {
    if (isKind(record, 'project_instructions')) for (const path of pathsIn(record.effects)) told.add(path);
    return told;
  },
};

export const projectInstructions = defineAttachment({
  kind: 'project_instructions',
  version: 1,
  needs: ['instructions', 'blobs'],
  group: 'thread',
  wait: 'must',
  trust: 'user',
  position: 'opening',
  wrap: 'opening',
  again: 'again',
  told: toldInstructions,
  decode: decodeFiles,
  async collect(moment, told, { instructions, blobs }) {
    // Between two steps nobody waits for a new file, and reading could cost a look at the disk.
    if (moment.trigger === 'tool_results' && told.size > 0) return { type: 'nothing' };
    const reading = await instructions.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const files = reading.value.filter((file) => isTold(file) && !told.has(file.path));
    const notes = notesOf(reading.value);
    if (files.length === 0) return { type: 'nothing', ...notes };
    const first = told.size === 0;
    await keepTexts(files, blobs);
    return { type: 'new', data: { files, first }, ...notes };
  },
  render({ files, first }: Data, room) {
    const { text, ...cut } = tellFiles(files, { tokens: room.tokens, intro: first ? INTRO : LATER });
    return { content: [{ type: 'text', text }], ...cut };
  },
  keep: ({ files }) => keepFiles(files),
  effects: ({ files }) => effectsOfFiles(files),
  title: ({ files }) => `project instructions: ${files.length} ${files.length === 1 ? 'file' : 'files'}`,
  reason: ({ first }) => (first ? 'a window began' : 'not told yet in this window'),
});
