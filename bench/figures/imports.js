/** Loading an instruction file of 40,000 characters that imports 200 others, beside bare reading and parsing of the same texts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instructionFiles } from '@sidenote/node';
import MarkdownIt from 'markdown-it';
import { makeWorkspace, removeWorkspace } from '../program/workspace.js';
import { judgeMedians } from '../report/figure.js';
import { besideFloor, timed } from '../timing/samples.js';

/** @import { Figure } from '../report/figure.js' */

const rounds = 60;
const imports = 200;
/** Characters. */
const length = 40_000;
const paragraph = 'Names are whole words, every change has a test, and a `@handle` in code is no import.\n\n';

/** @returns {Promise<Figure[]>} */
export async function importFigures() {
  const workspace = makeWorkspace();
  const { project, home } = workspace;
  const files = fill(project);
  const port = instructionFiles({ cwd: project, home, env: {} });
  try {
    const load = async () => {
      const reading = await port.read(new AbortController().signal);
      const told = reading.type === 'ready' ? reading.value.filter(({ status }) => status === 'loaded').length : 0;
      if (told < files.length) throw new Error(`${told} files were told, not ${files.length}`);
    };
    const bare = () => {
      const parser = new MarkdownIt('commonmark');
      for (const file of files) parser.parse(readFileSync(file, 'utf8'), {});
    };
    const samples = await besideFloor(rounds, { value: () => timed(load), floor: () => timed(bare) });
    return [
      judgeMedians({ name: `40,000 characters that import ${imports} files`, unit: 'ms', limit: { type: 'ratio', most: 3 } }, samples),
    ];
  } finally {
    removeWorkspace(workspace);
  }
}

/** @param {string} project @returns {string[]} Paths of the files that are told because of it. */
function fill(project) {
  const folder = join(project, 'docs');
  mkdirSync(folder);
  const names = Array.from({ length: imports }, (_, index) => join(folder, `part${index}.md`));
  for (const [index, name] of names.entries()) writeFileSync(name, `# Part ${index}\n\n${paragraph.replace('@', '')}`);
  const lines = names.map((_, index) => `- See @docs/part${index}.md\n`).join('');
  const main = join(project, 'CLAUDE.md');
  writeFileSync(main, lines + paragraph.repeat(Math.ceil((length - lines.length) / paragraph.length)));
  return [main, ...names];
}
