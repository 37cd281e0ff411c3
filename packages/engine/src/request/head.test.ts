import { expect, test } from 'vitest';
import { openSession } from '../session/open-session.js';
import type { SystemSource } from '../session/session.js';
import { LawChecker, MemoryStore, testPorts } from '../testing/index.js';

async function systemOf(system: SystemSource) {
  const { main } = await openSession({
    model: 'claude-opus-5-5',
    tools: [],
    system,
    store: new MemoryStore(),
    ports: testPorts(),
    kinds: [],
  });
  const step = new LawChecker().check(await main.prompt('One.'), main);
  return step.request.system.map(({ text }) => text);
}

test('static sections make one block, the others a second one; blank ones are left out', async () => {
  const section = (text: string, isStatic: boolean) => ({ name: text, text, static: isStatic });
  expect(await systemOf([section('a', true), section(' \n', true), section('b', true), section('c', false), section('', false)])).toEqual([
    'a\n\nb',
    'c',
  ]);
  expect(await systemOf([section('only', false)])).toEqual(['only']);
  expect(await systemOf('')).toEqual([]);
});
