/** `--version` answers before anything is loaded. */
import { runNodeWell } from '../program/run-node.js';
import { command } from '../program/sidenote.js';
import { judgeMedians } from '../report/figure.js';
import { besideFloor } from '../timing/samples.js';

/** @import { Figure } from '../report/figure.js' */

const rounds = 15;

/** @returns {Promise<Figure[]>} */
export async function versionFigures() {
  const samples = await besideFloor(rounds, {
    value: async () => (await runNodeWell([command, '--version'])).ms,
    floor: async () => (await runNodeWell(['-e', '0'])).ms,
  });
  return [judgeMedians({ name: '--version', unit: 'ms', limit: { type: 'ratio', most: 1.5 } }, samples)];
}
