import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nameOf, readCases } from './case.js';
import { readDriver } from './driver.js';
import { runCase } from './run-case.js';

const driver = readDriver(join(import.meta.dirname, 'drivers', 'sidenote.json'));
const cases = readCases();

test('no two cases have one name', () => {
  expect(new Set(cases.map(nameOf)).size).toBe(cases.length);
});

describe.concurrent('the command', () => {
  test.each(cases.map((one) => ({ name: nameOf(one), one })))('$name', { timeout: 90_000 }, async ({ one }) => {
    expect(await runCase(one, driver)).toEqual({ type: 'passed' });
  });
});

describe('an agent that tells nothing', () => {
  const mute = { ...driver, name: 'mute', command: ['node', join(import.meta.dirname, 'mute-agent.js')] };
  const asking = cases.find(({ id }) => id === 'nearest-last');
  test.runIf(asking !== undefined)('fails, and it is said why', async () => {
    const outcome = asking === undefined ? undefined : await runCase(asking, mute);
    expect(outcome).toMatchObject({
      type: 'failed',
      problems: expect.arrayContaining([expect.stringContaining('GRAVEL-1 stands there 0 times')]),
    });
  });
});
