/** The example of `docs/window.md` does what the page says. */
import { openSession } from '@sidenote/engine';
import { answer, MemoryStore, say, testPorts } from '@sidenote/engine/testing';
import { expect, test } from 'vitest';
import { windowMetrics } from './window-metrics.js';

test('each answer gives two lines', async () => {
  const lines: string[] = [];
  const session = await openSession({
    model: 'claude-opus-5-5',
    tools: [],
    system: 'You fix bugs.',
    store: new MemoryStore(),
    ports: testPorts(),
    kinds: [],
    measure: windowMetrics((line) => lines.push(line)),
  });
  await session.main.prompt('Fix it.');
  await session.main.response(answer([say('Done.')]));
  expect(lines).toEqual([
    'window_tokens{model="claude-opus-5-5"} 10 of 1000000; 0 cached; 3 freed by a compaction',
    'client_share{model="claude-opus-5-5"} 0.50',
  ]);
  await session.close();
});
