/** A second, independent count of the same scenarios, where such a runner lies beside the repository. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { command } from '../program/sidenote.js';
import { judge } from '../report/figure.js';

/** @import { Figure } from '../report/figure.js' */

const runner = fileURLToPath(new URL('../../../shared/cost/run.mjs', import.meta.url));
/** Scenarios, with the most that may be billed over the floor. `e` is three short sessions, which pay for an hour; `p` pauses for six minutes, twice. */
const limits = Object.entries({ a: 1.03, e: 1.05, e2: 1.05, f: 1.03, f2: 1.03, g: 1.03, l: 1.03, p: 1.55 });

/** @returns {Promise<Figure[]>} Empty when there is no such runner. */
export async function secondRunnerFigures() {
  if (!existsSync(runner)) return [];
  const work = mkdtempSync(join(tmpdir(), 'sidenote-bench-'));
  try {
    const out = join(work, 'results.json');
    const args = [
      '--cli',
      `${process.execPath} ${command}`,
      '--label',
      'sidenote',
      '--only',
      limits.map(([name]) => name).join(','),
      '--work',
      work,
      '--out',
      out,
    ];
    await promisify(execFile)(process.execPath, [runner, ...args], { maxBuffer: 64 * 1024 * 1024 });
    /** @type {Record<string, { floor: { all: { billed: number, floor: number } } }>} */
    const results = JSON.parse(readFileSync(out, 'utf8'))['sidenote'];
    return limits.map(([name, most]) => {
      const all = results[name]?.floor.all ?? { billed: Number.NaN, floor: Number.NaN };
      return judge({
        name: `billed input of ${name}, second runner`,
        unit: 'units',
        value: all.billed,
        floor: all.floor,
        limit: { type: 'ratio', most },
      });
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
