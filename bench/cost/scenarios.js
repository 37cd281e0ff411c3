/** What the command is billed for: thirty tool steps and one more turn, undisturbed (`f`) and with the world moving on (`f2`). */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { marks } from '../program/workspace.js';

/** @import { Block, CallBlock } from '../model/stream.js' */
/** @import { Workspace } from '../program/workspace.js' */

/**
 * @typedef {object} Step One answer of the model.
 * @property {readonly Block[]} content
 * @property {() => void} [before] What happens meanwhile, before the answer leaves.
 *
 * @typedef {object} Scenario
 * @property {readonly Step[]} steps
 * @property {readonly (readonly string[])[]} runs Arguments of the runs that they are spread over.
 * @property {readonly string[]} told What the last request must hold: a client that tells nothing is cheap, and no better.
 */

const steps = 30;
/** @type {Scenario['runs']} */
const runs = [['Do the steps.'], ['One more thing.', '--continue']];
/** @type {readonly Step[]} */
const ends = [{ content: [{ type: 'text', text: 'Done.' }] }, { content: [{ type: 'text', text: 'That too.' }] }];

/** @returns {Scenario} */
export function toolLoop() {
  return { steps: [...Array.from({ length: steps }, (_, index) => ({ content: [shell(index)] })), ...ends], runs, told: [marks.root] };
}

/**
 * @param {{ readonly workspace: Workspace, readonly midnight?: () => void }} world Without `midnight` the day stays the same.
 * @returns {Scenario}
 */
export function disturbedToolLoop({ workspace: { project }, midnight }) {
  const notes = join(project, 'notes.txt');
  const table = join(project, 'src', 'table.ts');
  /** @type {Readonly<Record<number, Step>>} */
  const events = {
    1: { content: [read('notes', notes), read('table', table)] },
    6: { content: [shell(6)], before: () => appendFileSync(notes, 'MARK_ADDED\n') },
    9: {
      content: [shell(9)],
      before: () => writeFileSync(table, readFileSync(table, 'utf8').replace('row60 = 60;', 'row60 = 61; // MARK_EDITED')),
    },
    17: { content: [read('nested', join(project, 'packages', 'web', 'index.ts'))] },
    22: { content: [shell(22)], ...(midnight === undefined ? {} : { before: midnight }) },
  };
  const told = [marks.root, marks.nested, 'MARK_ADDED', 'MARK_EDITED', ...(midnight === undefined ? [] : ['2031-03-02'])];
  return { steps: [...Array.from({ length: steps }, (_, index) => events[index] ?? { content: [shell(index)] }), ...ends], runs, told };
}

/** @param {number} index @returns {CallBlock} */
const shell = (index) => ({ type: 'tool_use', id: `toolu_step_${index}`, name: 'Bash', input: { command: `echo step ${index}` } });
/** @param {string} id @param {string} path @returns {CallBlock} */
const read = (id, path) => ({ type: 'tool_use', id: `toolu_${id}`, name: 'Read', input: { file_path: path } });
