import { expect, test } from 'vitest';
import type { PrefixRecord } from '../../transcript/records.js';
import { cwdChange } from './cwd-change.js';
import { ask } from './kind.testing.js';

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

test('a folder that the system prompt names, or none yet, is nothing to tell', async () => {
  expect((await ask(cwdChange, { ports: portsIn('/a') })).type).toBe('nothing');
  expect((await ask(cwdChange, { records: [prefix('/a')], ports: portsIn('/a') })).type).toBe('nothing');
});

test('another one is told once, and the way back as well', async () => {
  const moved = await ask(cwdChange, { records: [prefix('/a')], ports: portsIn('/b') });
  expect(moved.text).toContain('The working directory is now /b');
  const records = [prefix('/a'), ...moved.records];
  expect((await ask(cwdChange, { records, ports: portsIn('/b') })).type).toBe('nothing');
  expect((await ask(cwdChange, { records, ports: portsIn('/a') })).text).toContain('is now /a');
  expect((await ask(cwdChange, { records: [...records, prefix('/b')], ports: portsIn('/b') })).type).toBe('nothing');
});
