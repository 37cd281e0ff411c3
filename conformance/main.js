#!/usr/bin/env node
/** `node conformance/main.js [--driver file] [--only topic[/id],…] [--markdown]`: how an agent handles instruction files. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nameOf, readCases } from './case.js';
import { readDriver } from './driver.js';
import { runCase } from './run-case.js';

/** @import { Case } from './case.js' */

const { values } = parseArgs({ options: { driver: { type: 'string' }, only: { type: 'string' }, markdown: { type: 'boolean' } } });
const driver = readDriver(values.driver ?? join(import.meta.dirname, 'drivers', 'sidenote.json'));
const only = values.only?.split(',');
const cases = readCases().filter((one) => only === undefined || only.includes(one.topic) || only.includes(nameOf(one)));

/** @type {Map<string, { passed: number, choices: number, failed: number, skipped: number }>} */
const topics = new Map();
for (const one of cases) {
  const outcome = await runCase(one, driver);
  const count = topics.get(one.topic) ?? { passed: 0, choices: 0, failed: 0, skipped: 0 };
  topics.set(one.topic, count);
  count[outcome.type]++;
  if (outcome.type === 'passed' && one.choice !== undefined) count.choices++;
  if (values.markdown === true) continue;
  console.log(`${outcome.type === 'failed' && one.choice !== undefined ? 'differs' : outcome.type} ${nameOf(one)}: ${one.title}`);
  if (outcome.type === 'failed') for (const problem of outcome.problems) console.log(`  ${problem}`);
  if (outcome.type === 'skipped') console.log(`  ${outcome.why}`);
}

const rows = [...topics].map(
  ([topic, { passed, choices, failed, skipped }]) => `| ${topic} | ${passed} | ${choices} | ${failed} | ${skipped} |`,
);
console.log(['', `| ${driver.name} | pass | of these choices | fail | skipped |`, '|---|---|---|---|---|', ...rows].join('\n'));
process.exitCode = [...topics.values()].some(({ failed }) => failed > 0) ? 1 : 0;
