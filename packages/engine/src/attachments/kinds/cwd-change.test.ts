import { expect, test } from 'vitest';
import type { PrefixRecord } from '../../transcript/records.js';
import { cwdChange } from './cwd-change.js';
import { ask, moment } from './kind.testing.js';

const prefix = (cwd: string): PrefixRecord => ({
  id: `prefix ${cwd}`,
  at: '2031-03-01T10:00:00.000Z',
  thread: 't',
  parent: null,
  batch: { id: 'b', index: 0, count: 1 },
  type: 'prefix',
  cause: 'start',
  system: [{ name: 'environment', text: `# Environment\nIn: ${cwd}`, static: false }],
  tools: [],
  model: 'm',
  params: {},
  client: 'test/1',
});
const portsIn = (cwd: string) => ({
  folder: { cwd, isNamedIn: (system: PrefixRecord['system']) => system.some(({ text }) => text.includes(`In: ${cwd}`)) },
});

const under = (cwd: string) => moment({ system: prefix(cwd).system });

test('a folder that the system prompt names, or none yet, is nothing to tell', async () => {
  expect((await ask(cwdChange, { ports: portsIn('/a') })).type).toBe('nothing');
  expect((await ask(cwdChange, { records: [prefix('/a')], ports: portsIn('/a'), moment: under('/a') })).type).toBe('nothing');
});

test('another one is told once, and the way back as well', async () => {
  const moved = await ask(cwdChange, { records: [prefix('/a')], ports: portsIn('/b'), moment: under('/a') });
  expect(moved.text).toContain('The working directory is now /b');
  const records = [prefix('/a'), ...moved.records];
  expect((await ask(cwdChange, { records, ports: portsIn('/b'), moment: under('/a') })).type).toBe('nothing');
  expect((await ask(cwdChange, { records, ports: portsIn('/a'), moment: under('/a') })).text).toContain('is now /a');
  expect((await ask(cwdChange, { records: [...records, prefix('/b')], ports: portsIn('/b'), moment: under('/b') })).type).toBe('nothing');
});

test('a window that a compaction began is told again: the prompt that it goes on under is of before', async () => {
  expect((await ask(cwdChange, { records: [], ports: portsIn('/b'), moment: under('/a') })).text).toContain('is now /b');
});
