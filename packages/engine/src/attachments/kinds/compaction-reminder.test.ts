import { expect, test } from 'vitest';
import { compactionReminder } from './compaction-reminder.js';
import { ask, source } from './kind.testing.js';
import type { TranscriptRecord } from '../../transcript/records.js';

const at = (tokens: number, records: readonly TranscriptRecord[] = []) =>
  ask(compactionReminder, { records, ports: { fill: source({ tokens, window: 200_000 }) } });

test('each level is said once on its way up; a jump over two says the higher one', async () => {
  expect((await at(119_999)).type).toBe('nothing');
  const sixty = await at(120_000);
  expect(sixty.text).toContain('60 % full (120,000 of 200,000 tokens)');
  expect((await at(159_000, sixty.records)).type).toBe('nothing');
  const ninety = await at(185_000, sixty.records);
  expect(ninety.record?.title).toBe('context window 92 % full');
  expect((await at(199_000, [...sixty.records, ...ninety.records])).type).toBe('nothing');
  expect((await at(130_000, [...sixty.records, ...ninety.records])).type).toBe('nothing');
});

const boundary: TranscriptRecord = {
  id: 'b',
  at: '2031-03-01T10:00:00.000Z',
  thread: 't',
  parent: null,
  batch: { id: 'b', index: 0, count: 1 },
  type: 'compact_boundary',
  before: 'x',
  keepFrom: null,
  trigger: 'auto',
  preTokens: 1,
};

test('a compaction begins the count anew', async () => {
  const sixty = await at(120_000);
  expect((await at(121_000, [...sixty.records, boundary])).type).toBe('new');
});

test('unknown is not empty: nothing is said before something is known', async () => {
  const ports = { fill: { read: () => ({ type: 'unavailable' as const, why: 'no answer yet' }) } };
  expect((await ask(compactionReminder, { ports })).type).toBe('nothing');
});
