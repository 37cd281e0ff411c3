/** `sidenote context` in a repository of 100,000 tracked files: git looks at each of them, and the command at the nearest folders. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNodeWell } from '../program/run-node.js';
import { command, surroundings } from '../program/sidenote.js';
import { makeWorkspace, removeWorkspace } from '../program/workspace.js';
import { judgeMedians } from '../report/figure.js';
import { besideFloor } from '../timing/samples.js';

/** @import { Figure } from '../report/figure.js' */

const rounds = 9;
const statusOnly = fileURLToPath(new URL('../status-only.js', import.meta.url));
const folders = { top: 40, below: 50, files: 50 };

/** @returns {Promise<Figure[]>} */
export async function contextFigures() {
  const workspace = makeWorkspace();
  const where = { cwd: workspace.project, env: surroundings(workspace, 'http://127.0.0.1:1') };
  try {
    fill(workspace.project);
    // Where a person's own folder is, compiled code is kept from one run to the next.
    mkdirSync(join(workspace.home, '.sidenote'));
    const value = async () => (await runNodeWell([command, 'context', 'Hello'], where)).ms;
    const besideNode = await besideFloor(rounds, { value, floor: async () => (await runNodeWell(['-e', '0'], where)).ms });
    const besideStatus = await besideFloor(rounds, { value, floor: async () => (await runNodeWell([statusOnly], where)).ms });
    return [
      judgeMedians({ name: 'context among 100,000 files', unit: 'ms', limit: { type: 'ratio', most: 6 } }, besideNode),
      judgeMedians({ name: 'the same, beside git status from Node', unit: 'ms', limit: { type: 'ratio', most: 1.5 } }, besideStatus),
    ];
  } finally {
    removeWorkspace(workspace);
  }
}

/** @param {string} project */
function fill(project) {
  for (let top = 0; top < folders.top; top++) {
    for (let below = 0; below < folders.below; below++) {
      const folder = join(project, `part${top}`, `module${below}`);
      mkdirSync(folder, { recursive: true });
      for (let file = 0; file < folders.files; file++) writeFileSync(join(folder, `file${file}.ts`), `export const n = ${file};\n`);
    }
  }
  const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.invalid'];
  for (const args of [
    ['add', '-A'],
    [...who, 'commit', '-q', '-m', 'Grow'],
  ])
    execFileSync('git', args, { cwd: project, stdio: 'pipe' });
}
