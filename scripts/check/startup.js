/** What has to answer at once: `--version` may take half as long again as Node itself takes to do nothing, and a session loads little. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.js';

/** @import { Verdict } from '../verdict.js' */

const limit = 1.5;
/** Kilobytes of what every session loads. A dependency that is not loaded lazily is 100 and more. */
const most = 720;
/** The same of what loads it: that is compiled anew each time, and stands before all else. */
const mostBefore = 20;

/**
 * A ratio of the shortest runs of many, taken in turns, holds on a busy machine too. Stops as soon as it is good.
 * @returns {Verdict}
 */
export function checkStartup() {
  const dist = join(root, 'packages', 'cli', 'dist');
  const program = join(dist, 'main.js');
  let nothing = Infinity;
  let version = Infinity;
  for (let round = 0; round < 40 && (round < 5 || version > nothing * limit); round++) {
    nothing = Math.min(nothing, timed(['-e', '0']));
    version = Math.min(version, timed([program, '--version']));
  }
  const ratio = version / nothing;
  const loaded = [...loadedWith(dist, 'core')];
  const before = [...loadedWith(dist, 'loader')];
  const [size, sizeBefore] = [sizeOf(dist, loaded), sizeOf(dist, before)];
  return {
    ok: ratio <= limit && size <= most && sizeBefore <= mostBefore,
    summary: `--version takes ${ratio.toFixed(2)} times as long as node -e 0 (${version.toFixed(0)} ms; limit ${limit}); a session loads ${size} KB (limit ${most}), its loader ${sizeBefore} KB (limit ${mostBefore})`,
    details: [...(size <= most ? [] : loaded), ...(sizeBefore <= mostBefore ? [] : before)],
  };
}

/** A chunk of the program, and all that it requires at once. @param {string} dist @param {string} chunk */
function loadedWith(dist, chunk) {
  const names = new Set(readdirSync(dist).filter((name) => name.startsWith(`${chunk}-`)));
  for (const name of names)
    for (const [, required = ''] of readFileSync(join(dist, name), 'utf8').matchAll(/(?<!=>(?:[\w$.]+\()?)require\(`\.\/([^`]+)`\)/g))
      names.add(required);
  return names;
}

/** Kilobytes. @param {string} dist @param {readonly string[]} names */
const sizeOf = (dist, names) => Math.round(names.reduce((sum, name) => sum + readFileSync(join(dist, name)).length, 0) / 1000);

/** @param {readonly string[]} args @returns {number} Milliseconds. */
function timed(args) {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  return status === 0 ? performance.now() - started : Infinity;
}
