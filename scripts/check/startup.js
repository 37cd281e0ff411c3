/** What has to answer at once: `--version` may take half as long again as Node itself takes to do nothing. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../workspace.js';

/** @import { Verdict } from '../verdict.js' */

const limit = 1.5;

/** Shortest of several runs, in turns: a ratio of minima holds on a busy machine too. @returns {Verdict} */
export function checkStartup() {
  const commands = { nothing: ['-e', '0'], version: [join(root, 'packages', 'cli', 'dist', 'main.js'), '--version'] };
  const best = { nothing: Infinity, version: Infinity };
  for (let round = 0; round < 9; round++) {
    best.nothing = Math.min(best.nothing, timed(commands.nothing));
    best.version = Math.min(best.version, timed(commands.version));
  }
  const ratio = best.version / best.nothing;
  return {
    ok: ratio <= limit,
    summary: `--version takes ${ratio.toFixed(2)} times as long as node -e 0 (${best.version.toFixed(0)} ms; limit ${limit})`,
  };
}

/** @param {readonly string[]} args @returns {number} Milliseconds. */
function timed(args) {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  return status === 0 ? performance.now() - started : Infinity;
}
