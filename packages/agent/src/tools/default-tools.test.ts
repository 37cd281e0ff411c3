import { expect, it } from 'vitest';
import { defaultTools } from './default-tools.js';
import { openBench } from './tools.testing.js';

it('are few words in a fixed order', async () => {
  const bench = openBench({ notify: () => {} });
  const tools = defaultTools(bench.environment);
  expect(tools.map(({ spec, access }) => `${spec.name} ${access}`)).toEqual([
    'Read read',
    'Write write',
    'Edit write',
    'Bash execute',
    'Glob read',
    'Grep read',
    'TaskOutput read',
    'TaskStop read',
    'Monitor execute',
  ]);
  // Every request carries them: about 1,200 tokens.
  expect(JSON.stringify(tools.map(({ spec }) => spec)).length).toBeLessThan(4_250);
  await bench.close();
});
