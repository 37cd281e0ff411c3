/** What has to answer at once: `--version` may take half as long again as Node itself takes to do nothing. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../workspace.js';

/** @import { Verdict } from '../verdict.js' */

const limit = 1.5;

/**
 * A ratio of the shortest runs of many, taken in turns, holds on a busy machine too. Stops as soon as it is good.
 * @returns {Verdict}
 */
export function checkStartup() {
  const program = join(root, 'packages', 'cli', 'dist', 'main.js');
  let nothing = Infinity;
  let version = Infinity;
  for (let round = 0; round < 40 && (round < 5 || version > nothing * limit); round++) {
    nothing = Math.min(nothing, timed(['-e', '0']));
    version = Math.min(version, timed([program, '--version']));
  }
  const ratio = version / nothing;
  return {
    ok: ratio <= limit,
    summary: `--version takes ${ratio.toFixed(2)} times as long as node -e 0 (${version.toFixed(0)} ms; limit ${limit})`,
  };
}

/** @param {readonly string[]} args @returns {number} Milliseconds. */
function timed(args) {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  return status === 0 ? performance.now() - started : Infinity;
}
