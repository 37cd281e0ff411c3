/** Long sessions: what a resume costs beside a bare read of the file, and whether memory stays flat while turns are added. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sessionFile } from '@sidenote/node';
import { runNodeWell } from '../program/run-node.js';
import { judge, judgeMedians } from '../report/figure.js';
import { besideFloor } from '../timing/samples.js';

/** @import { Figure } from '../report/figure.js' */

/** Each with a result of 50 KB: 100 MB of transcript, with 1 MB in the window at its end. */
const turns = Number(process.env['BENCH_TURNS'] ?? 2_000);
const rounds = 5;
const megabyte = 1024 * 1024;
const session = '11111111-1111-4111-8111-111111111111';

const reportPeak = new URL('../report-peak.js', import.meta.url).href;
const program = (/** @type {string} */ name) => fileURLToPath(new URL(`../${name}.js`, import.meta.url));

/** @returns {Promise<Figure[]>} */
export async function longSessionFigures() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sidenote-bench-')));
  const report = join(folder, 'report');
  const file = sessionFile({ cwd: folder, configDir: folder, session });
  const peaks = { value: /** @type {number[]} */ ([]), floor: /** @type {number[]} */ ([]) };
  const run = async (/** @type {keyof typeof peaks} */ subject, /** @type {readonly string[]} */ ...args) => {
    const { ms } = await runNodeWell(['--import', reportPeak, ...args], { env: { ...process.env, BENCH_PEAK: report } });
    peaks[subject].push(Number(readFileSync(report, 'utf8')) / megabyte);
    return ms;
  };
  try {
    await runNodeWell(['--expose-gc', program('fill-session'), folder, String(turns), report]);
    /** @type {{ first: number, last: number }} */
    const held = JSON.parse(readFileSync(report, 'utf8'));
    const times = await besideFloor(rounds, {
      value: () => run('value', program('resume-session'), folder, session),
      floor: () => run('floor', program('read-bare'), file),
    });
    const size = `${Math.round(turns / 20).toLocaleString('en')} MB`;
    return [
      judgeMedians({ name: `resume of ${size}`, unit: 'ms', limit: { type: 'ratio', most: 3 } }, times),
      judgeMedians({ name: `memory of that resume`, unit: 'MB', limit: { type: 'ratio', most: 2, orMore: 64 } }, peaks),
      judge({
        name: `memory after ${turns.toLocaleString('en')} turns of 50 KB`,
        unit: 'MB',
        value: held.last,
        floor: held.first,
        limit: { type: 'ratio', most: 1.3 },
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
