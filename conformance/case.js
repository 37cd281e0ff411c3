/** What a case says, and where cases are read from. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What lies at a path: text, bytes, a link, or text with a long middle.
 * @typedef {string | { text: string, repeat?: { text: string, times: number }, end?: string } | { base64: string } | { link: string }} FileText
 */

/**
 * What a request must hold. Markers are counted in the system prompt and in what stands in the user's place; tools and
 * the model's own answers are left out.
 * @typedef {object} Expected
 * @property {readonly string[]} [once]
 * @property {readonly string[]} [never]
 * @property {Readonly<Record<string, number>>} [times]
 * @property {readonly string[]} [order] First places, one behind the other.
 */

/**
 * @typedef {object} Case
 * @property {string} topic Name of the file that holds the case.
 * @property {string} id Unique in its topic.
 * @property {string} title What holds, in one sentence.
 * @property {string} [choice] No text decides it: why we chose so. Another answer is a difference, not a fault.
 * @property {Readonly<Record<string, FileText>>} files By path below the root of the case, which holds `project`, `home` and `outside`.
 * @property {readonly string[]} [setup] Shell commands in that root, after the files are there.
 * @property {string} [cwd] Where the agent starts; default `project`.
 * @property {Readonly<Record<string, string>>} [env] `{root}` and `{home}` stand for these folders.
 * @property {string} [prompt]
 * @property {readonly Readonly<Record<string, string>>[]} [steps] What the model does before it ends, one call an answer: `read`, `write` (`text`), `edit` (`old`, `new`), `grep` and `glob` (`path`), `shell`.
 * @property {{ start?: Expected, end?: Expected, said?: readonly string[], unsaid?: readonly string[] }} expect
 *   Of the first and the last request; and what stands on standard error, or does not.
 */

const folder = join(import.meta.dirname, 'cases');

/** All cases, topic by topic. @returns {readonly Case[]} */
export function readCases() {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => {
      /** @type {Omit<Case, 'topic'>[]} */
      const cases = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return cases.map((one) => ({ topic: name.replace('.json', ''), ...one }));
    });
}

/** `topic/id`, as reports and `--only` name it. @param {Case} one */
export const nameOf = ({ topic, id }) => `${topic}/${id}`;
