/** The instruction files that apply from the start, told once per window; a file that appears later is told by itself. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind, type Moment } from '../contract.js';
import type { InstructionFile } from '../ports.js';
import { decodeFiles, effectsOfFiles, isTold, keepFiles, keepTexts, notesOf, pathsIn, tellFiles } from '../parts/instruction-text.js';
import { effectsIn, fullyShown, lostIn } from '../parts/views.js';

type Data = { readonly files: readonly InstructionFile[]; readonly first: boolean };

const INTRO =
  'Instructions from files of the user and of this project, in load order. Where two of them disagree, the later one, which is nearer to the working folder, counts.';
const LATER = 'Instruction files that apply from now on, besides those told before:';

type Told = {
  /** Whether any were told in this window. */
  begun: boolean;
  /** Paths told in this window, and those of them of which nothing is known any more. */
  readonly files: Set<string>;
  readonly lost: Set<string>;
  /** Files that the model made in this window: all of their text is its own. */
  readonly made: Set<string>;
};

const toldInstructions: Fold<Told> = {
  name: 'project-instructions',
  scope: 'window',
  on: ['attachment', 'tool_result'],
  initial: () => ({ begun: false, files: new Set(), lost: new Set(), made: new Set() }),
  step(told, record) {
    if (isKind(record, 'project_instructions')) {
      told.begun = true;
      for (const path of pathsIn(record.effects)) told.files.add(path);
    }
    const effects = effectsIn(record);
    // What is there again after its end was told, or is another text altogether, is told as a new file unless the model reads it itself.
    if (isKind(record, 'changed_files')) for (const path of lostIn(effects)) if (told.files.delete(path)) told.lost.add(path);
    for (const path of fullyShown(effects)) if (told.lost.delete(path)) told.files.add(path);
    if (record.type !== 'tool_result') return told;
    for (const effect of record.effects) if (effect.type === 'wrote' && effect.before === null) told.made.add(effect.view.path);
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
    if (moment.trigger === 'tool_results' && told.begun) return { type: 'nothing' };
    const reading = await instructions.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const files = reading.value.filter((file) => isTold(file) && !told.files.has(file.path) && !isOthers(file, moment, told));
    const notes = notesOf(reading.value);
    if (files.length === 0) return { type: 'nothing', ...notes };
    await keepTexts(files, blobs);
    return { type: 'new', data: { files, first: !told.begun }, ...notes };
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

/** What is remembered is no matter of a sub-agent, and no news to the model that has just written it down. */
function isOthers({ path, scope, mainOnly }: InstructionFile, { isMain }: Moment, { made }: Readonly<Told>): boolean {
  return (mainOnly === true && !isMain) || (/\bmemory$/.test(scope) && made.has(path));
}
