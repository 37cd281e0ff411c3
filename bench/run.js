/**
 * `npm run bench [-- --only name,name] [--json FILE]`: every figure beside its floor, in the same run. Exit 1 when a
 * limit is broken or a figure could not be measured.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { contextFigures } from './figures/context.js';
import { costFigures } from './figures/cost.js';
import { firstRequestFigures } from './figures/first-request.js';
import { headFigures } from './figures/head.js';
import { importFigures } from './figures/imports.js';
import { longSessionFigures } from './figures/long-sessions.js';
import { memoryFigures } from './figures/memory.js';
import { ownWorkFigures } from './figures/own-work.js';
import { pauseFigures } from './figures/pauses.js';
import { quietTurnFigures } from './figures/quiet-turns.js';
import { secondRunnerFigures } from './figures/second-runner.js';
import { seenFilesFigures } from './figures/seen-files.js';
import { toolSearchFigures } from './figures/tool-search.js';
import { versionFigures } from './figures/version.js';
import { isFine } from './report/figure.js';
import { table } from './report/table.js';

/** @import { Figure } from './report/figure.js' */

/** Own work comes last: its long sessions fill the memory of this process. @type {Readonly<Record<string, () => Promise<Figure[]>>>} */
const groups = {
  version: versionFigures,
  'first-request': firstRequestFigures,
  context: contextFigures,
  memory: memoryFigures,
  head: headFigures,
  cost: costFigures,
  pauses: pauseFigures,
  'second-runner': secondRunnerFigures,
  imports: importFigures,
  'seen-files': seenFilesFigures,
  'long-sessions': longSessionFigures,
  'tool-search': toolSearchFigures,
  'quiet-turns': quietTurnFigures,
  'own-work': ownWorkFigures,
};

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
const chosen = values.only?.split(',') ?? Object.keys(groups);
const unknown = chosen.filter((name) => !(name in groups));
if (unknown.length > 0) {
  console.error(`no figure named ${unknown.join(', ')}; there are: ${Object.keys(groups).join(', ')}`);
  process.exit(2);
}

/** @type {Figure[]} */
const figures = [];
for (const [name, measure] of Object.entries(groups)) {
  if (!chosen.includes(name)) continue;
  console.error(`measuring ${name} …`);
  try {
    figures.push(...(await measure()));
  } catch (error) {
    figures.push({ type: 'failed', name, why: error instanceof Error ? error.message : String(error) });
  }
}

const machine = `${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
const bad = figures.filter((figure) => !isFine(figure));
console.log(`${machine}\n\n${table(figures)}\n`);
console.log(bad.length === 0 ? 'bench: all within their limits' : `bench: ${bad.length} not within their limits`);
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ at: new Date().toISOString(), machine, figures }, null, 2)}\n`);
process.exitCode = bad.length === 0 ? 0 : 1;
