import { expect, test } from 'vitest';
import { companionIntro } from './companion-intro.js';
import { ask, source } from './kind.testing.js';

test('each figure is introduced once', async () => {
  const named = (name: string, records: Awaited<ReturnType<typeof ask>>['records'] = []) =>
    ask(companionIntro, { records, ports: { companion: source({ name }) } });
  const first = await named('Pip');
  expect(first.text).toContain("A small figure named Pip is drawn beside the person's input line.");
  expect((await named('Pip', first.records)).type).toBe('nothing');
  expect((await named('Dot', first.records)).type).toBe('new');
  expect((await named('  ')).type).toBe('nothing');
  expect((await named('x'.repeat(5_000))).text.length).toBeLessThan(400);
});
