/** The folders of one case: a project, a home and a place outside both, in a temporary root. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** @import { Case, FileText } from './case.js' */

/** @param {Pick<Case, 'files' | 'setup'>} about @returns {{ root: string, home: string, remove(): void }} */
export function makeWorld({ files, setup = [] }) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'conformance-')));
  const home = join(root, 'home');
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  try {
    for (const name of ['project', 'home', 'outside']) mkdirSync(join(root, name));
    for (const [path, text] of Object.entries(files)) put(join(root, path), text, root);
    for (const command of setup) execFileSync('/bin/sh', ['-c', command], { cwd: root, env: plainEnv(home), stdio: 'pipe' });
    return { root, home, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** @param {string} path @param {FileText} text @param {string} root */
function put(path, text, root) {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof text === 'string') writeFileSync(path, text.replaceAll('{root}', root));
  else if ('link' in text) symlinkSync(text.link, path);
  else if ('base64' in text) writeFileSync(path, Buffer.from(text.base64, 'base64'));
  else writeFileSync(path, `${text.text}${text.repeat === undefined ? '' : text.repeat.text.repeat(text.repeat.times)}${text.end ?? ''}`);
}

/** Nothing of the person who runs the kit. @param {string} home @returns {Record<string, string>} */
export function plainEnv(home) {
  const who = { NAME: 'Case', EMAIL: 'case@example.invalid' };
  const names = Object.entries(who).flatMap(([key, value]) => ['AUTHOR', 'COMMITTER'].map((role) => [`GIT_${role}_${key}`, value]));
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'dumb',
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(names),
  };
}
