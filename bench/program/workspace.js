/** A small project under git, with instruction files and a home folder, as the command finds one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} Workspace
 * @property {string} root Holds the other two.
 * @property {string} project
 * @property {string} home
 */

/** Words that show whether a text has reached the model. */
export const marks = /** @type {const} */ ({ root: 'MARK_ROOT', nested: 'MARK_NESTED' });

/** @type {Readonly<Record<string, string>>} */
const files = {
  'AGENTS.md': `# Project\n\n${marks.root}: build with make, test with make check.\n\n- Names are whole words.\n- Every change has a test.\n`,
  'notes.txt': 'one\ntwo\nthree\n',
  'src/table.ts': Array.from({ length: 120 }, (_, index) => `export const row${index} = ${index};\n`).join(''),
  'packages/web/AGENTS.md': `${marks.nested}: this package runs in a browser.\n`,
  'packages/web/index.ts': 'export const web = true;\n',
};

/** Makes a new one; call `removeWorkspace` in the end. @returns {Workspace} */
export function makeWorkspace() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sidenote-bench-')));
  const workspace = { root, project: join(root, 'project'), home: join(root, 'home') };
  mkdirSync(workspace.home);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace.project, path)), { recursive: true });
    writeFileSync(join(workspace.project, path), text);
  }
  const date = '2026-01-01T00:00:00Z';
  const env = { PATH: process.env['PATH'], HOME: workspace.home, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.invalid'];
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...who, 'commit', '-q', '-m', 'Begin'],
  ])
    execFileSync('git', args, { cwd: workspace.project, env, stdio: 'pipe' });
  return workspace;
}

/** @param {Workspace} workspace */
export function removeWorkspace({ root }) {
  rmSync(root, { recursive: true, force: true });
}
