import { expect, test } from 'vitest';
import type { AttachmentRecord, TranscriptRecord } from '../../transcript/records.js';
import type { KindOptions, SessionUsage, WindowFill } from '../ports.js';
import { budgetUsd } from './budget-usd.js';
import { compactionReminder } from './compaction-reminder.js';
import { ask, moment, source } from './kind.testing.js';
import { outputTokenUsage } from './output-token-usage.js';
import { tokenUsage } from './token-usage.js';
import { totalTokensReminder } from './total-tokens-reminder.js';

const options = (given: ReturnType<KindOptions['of']> = {}): KindOptions => ({ of: () => given, isOff: () => false });
const usage = (changes: Partial<SessionUsage> = {}) => source<SessionUsage>({ tokens: 0, output: 0, usd: 0, limits: {}, ...changes });
const envelope = { at: '2031-03-01T10:00:00.000Z', thread: 't', parent: null, batch: { id: 'b', index: 0, count: 1 } };
const words = (id: string): TranscriptRecord => ({ ...envelope, id, type: 'user', content: [], origin: 'human' });
const answer = (id: string, output: number): TranscriptRecord => ({
  ...envelope,
  id,
  type: 'assistant',
  asked: 'm',
  message: {
    id,
    model: 'm',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: output, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
  },
});

/** In which of 60 turns a kind says something while what it looks at grows evenly up to `last`. */
async function turnsTold(
  one: (turn: number, records: readonly AttachmentRecord[]) => Promise<{ readonly records: readonly AttachmentRecord[] }>,
) {
  const records: AttachmentRecord[] = [];
  const told: number[] = [];
  for (let turn = 1; turn <= 60; turn++) {
    const { records: fresh } = await one(turn, records);
    records.push(...fresh);
    if (fresh.length > 0) told.push(turn);
  }
  return told;
}

const sixty = Array.from({ length: 60 }, (_, index) => index + 1);

test('over 60 turns each limit is told at first and with each tenth of it, and never in between', async () => {
  const tenths = [1, 6, 12, 18, 24, 30, 36, 42, 48, 54, 60];
  const money = (turn: number, records: readonly AttachmentRecord[]) =>
    ask(budgetUsd, { records, ports: { options: options(), usage: usage({ usd: turn / 60, limits: { usd: 1 } }) } });
  expect(await turnsTold(money)).toEqual(tenths);
  const tokens = (turn: number, records: readonly AttachmentRecord[]) =>
    ask(totalTokensReminder, { records, ports: { options: options(), usage: usage({ tokens: turn * 100, limits: { tokens: 6_000 } }) } });
  expect(await turnsTold(tokens)).toEqual(tenths);
  const output = (turn: number, records: readonly AttachmentRecord[]) =>
    ask(outputTokenUsage, { records, ports: { options: options(), usage: usage({ output: turn * 100, limits: { output: 6_000 } }) } });
  expect(await turnsTold(output)).toEqual(tenths);
});

test('over 60 turns the window is told where it is half full, at three quarters and at 95 %', async () => {
  const fill = (turn: number, given = {}) => ({
    fill: source<WindowFill>({ tokens: turn * 1_000, window: 60_000 }),
    options: options(given),
  });
  /** In which turns it speaks beside the reminder about compaction. */
  const beside = async (given = {}) => {
    const reminders: AttachmentRecord[] = [];
    return turnsTold(async (turn, records) => {
      const ports = fill(turn, given);
      const all = [...records, ...reminders];
      reminders.push(...(await ask(compactionReminder, { records: all, ports })).records);
      return ask(tokenUsage, { records: all, ports });
    });
  };
  expect(await beside()).toEqual([30, 45, 57]);
  expect(await beside({ cadence: 'every-turn' })).toEqual(sixty.filter((turn) => ![36, 48, 54].includes(turn)));
});

test('without the reminder about compaction the window is told all the same', async () => {
  const options = { of: () => ({}), isOff: (kind: string) => kind === 'compaction_reminder' };
  const ports = { fill: source<WindowFill>({ tokens: 80, window: 100 }), options };
  expect((await ask(tokenUsage, { ports })).text).toContain('80 of 100 tokens used');
});

test('`every-turn` speaks with each prompt and not with results', async () => {
  const ports = { options: options({ cadence: 'every-turn' }), usage: usage({ usd: 0.05, limits: { usd: 1 } }) };
  expect(await turnsTold((_turn, records) => ask(budgetUsd, { records, ports }))).toEqual(sixty);
  const { records } = await ask(budgetUsd, { ports });
  expect((await ask(budgetUsd, { records, ports, moment: moment({ trigger: 'tool_results' }) })).type).toBe('nothing');
});

test('the window is silent where the reminder about compaction speaks, and does not repeat what it said', async () => {
  const reminded: AttachmentRecord = {
    ...envelope,
    id: 'a',
    type: 'attachment',
    kind: 'compaction_reminder',
    version: 1,
    data: { level: 60 },
    content: [],
    host: 'h',
    delivery: { type: 'before-prompt' },
    trust: 'client',
    wrap: null,
    title: '',
    reason: '',
    effects: [],
  };
  const at = (tokens: number, records: readonly TranscriptRecord[]) =>
    ask(tokenUsage, { records, ports: { fill: source<WindowFill>({ tokens, window: 100 }), options: options() } });
  expect((await at(61, [])).type).toBe('nothing');
  expect((await at(61, [reminded])).type).toBe('nothing');
  expect((await at(75, [reminded])).text).toBe('Context window: 75 of 100 tokens used, 25 left.');
});

test('a target for output counts the turn alone and begins anew with the next words', async () => {
  const ports = { options: options({ target: 100 }), usage: usage() };
  const at = (records: readonly TranscriptRecord[], trigger: 'prompt' | 'tool_results') =>
    ask(outputTokenUsage, { records, ports, moment: moment({ trigger }) });
  const first = await at([], 'prompt');
  expect(first.text).toBe('Output of this turn: 0 tokens, of about 100 that a turn should take.');
  const half = await at([words('u1'), ...first.records, answer('a1', 52)], 'tool_results');
  expect(half.text).toContain('52 tokens');
  const told = [words('u1'), ...first.records, answer('a1', 52), ...half.records];
  expect((await at([...told, answer('a2', 3)], 'tool_results')).type).toBe('nothing');
  const next = [...told, words('u2')];
  expect((await at(next, 'prompt')).type).toBe('nothing');
  expect((await at([...next, answer('a3', 12)], 'tool_results')).text).toContain('12 tokens');
});

test('nothing is said without a limit, and an unknown price is no zero', async () => {
  const ports = { options: options(), usage: usage({ usd: null }) };
  expect((await ask(budgetUsd, { ports })).type).toBe('nothing');
  expect((await ask(totalTokensReminder, { ports })).type).toBe('nothing');
  expect((await ask(outputTokenUsage, { ports })).type).toBe('nothing');
  const limited = { ...ports, usage: usage({ usd: null, limits: { usd: 1 } }) };
  expect(await ask(budgetUsd, { ports: limited })).toMatchObject({ type: 'unavailable', why: expect.stringContaining('price') });
});

test('another limit is told, whatever was told of the one before', async () => {
  const at = (limit: number, records: readonly AttachmentRecord[] = []) =>
    ask(totalTokensReminder, { records, ports: { options: options(), usage: usage({ tokens: 10, limits: { tokens: limit } }) } });
  const { records } = await at(1_000);
  expect((await at(1_000, records)).type).toBe('nothing');
  expect((await at(5_000, records)).text).toContain('may take 5,000 tokens');
});
