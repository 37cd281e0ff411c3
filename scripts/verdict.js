/** What a check says, and how to make a verdict of a command's output. */
import { execFile } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { root } from './workspace.js';

/**
 * @typedef {object} Verdict
 * @property {boolean} ok
 * @property {string} summary One line: how much was looked at, or what is wrong.
 * @property {readonly string[]} [details] What to do something about; shown only when not ok, or as notes when ok.
 */

/**
 * Runs a program of `node_modules` with this Node. Its output is the verdict's details when it fails.
 * @param {string} script Path below the root.
 * @param {readonly string[]} args
 * @returns {Promise<Verdict>}
 */
export function command(script, args) {
  return new Promise((resolve) => {
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } };
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      const lines = stripVTControlCharacters(`${stdout}\n${stderr}`)
        .split('\n')
        .filter((line) => line.trim() !== '');
      if (error === null) resolve({ ok: true, summary: lines.at(-1)?.trim() ?? '' });
      else resolve({ ok: false, summary: `exit ${error.code ?? error.signal}`, details: lines });
    });
  });
}
