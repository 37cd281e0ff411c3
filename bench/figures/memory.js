/** Peak memory of one headless run, beside a process that holds only the model client. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMessagesServer } from '../model/messages-server.js';
import { runNodeWell } from '../program/run-node.js';
import { command, surroundings } from '../program/sidenote.js';
import { makeWorkspace, removeWorkspace } from '../program/workspace.js';
import { judgeMedians } from '../report/figure.js';
import { besideFloor } from '../timing/samples.js';

/** @import { Figure } from '../report/figure.js' */

const rounds = 9;
const megabyte = 1024 * 1024;
const reportPeak = new URL('../report-peak.js', import.meta.url).href;
const sdkOnly = fileURLToPath(new URL('../sdk-only.js', import.meta.url));

/** @returns {Promise<Figure[]>} */
export async function memoryFigures() {
  const workspace = makeWorkspace();
  const server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Hello.' }] }));
  const file = join(workspace.root, 'peak');
  const where = { cwd: workspace.project, env: { ...surroundings(workspace, server.url), BENCH_PEAK: file } };
  const peakOf = async (/** @type {readonly string[]} */ ...args) => {
    await runNodeWell(['--import', reportPeak, ...args], where);
    return Number(readFileSync(file, 'utf8')) / megabyte;
  };
  try {
    const samples = await besideFloor(rounds, { value: () => peakOf(command, '-p', 'Hello'), floor: () => peakOf(sdkOnly) });
    return [judgeMedians({ name: 'memory of a headless run', unit: 'MB', limit: { type: 'ratio', most: 1.3 } }, samples)];
  } finally {
    await server.close();
    removeWorkspace(workspace);
  }
}
