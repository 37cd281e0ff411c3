/** Records as a damaged file or another writer may hold them, and what must not be read twice. */
import { expect, test } from 'vitest';
import type { Fold } from './fold.js';
import { decodeLine } from './line-decoder.js';
import { TranscriptLog } from './log.js';
import type { AssistantRecord, BoundaryRecord, StateRecord, ToolResultRecord, UserRecord } from './records.js';

const common = (id: string) => ({ id, at: '2031-03-01T10:00:00.000Z', thread: 't', batch: { id: `of ${id}`, index: 0, count: 1 } });
const user = (id: string, parent: string | null): UserRecord => ({ ...common(id), parent, type: 'user', content: [], origin: 'human' });
const headAt = (id: string, value: string): StateRecord => ({ ...common(id), type: 'state', key: 'head', value });
const boundary = (id: string, before: string): BoundaryRecord => ({
  ...common(id),
  parent: null,
  type: 'compact_boundary',
  before,
  keepFrom: null,
  trigger: 'manual',
  preTokens: 0,
});

function logOf(...records: Parameters<TranscriptLog['add']>[0]): TranscriptLog {
  const log = new TranscriptLog();
  log.add(records);
  return log;
}

test('a record that comes twice moves no head', () => {
  const log = logOf(user('a', null), user('b', 'a'), user('a', null));
  expect(log.head).toBe('b');
  expect(log.chain.map(({ id }) => id)).toEqual(['a', 'b']);
});

const usage = { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: null, cache_creation_input_tokens: null };
const answer = (id: string, parent: string): AssistantRecord => ({
  ...common(id),
  parent,
  type: 'assistant',
  asked: 'm',
  message: { id: `msg_${id}`, model: 'm', content: [], stop_reason: 'tool_use', usage },
});
const result = (id: string, parent: string, call = id): ToolResultRecord => ({
  ...common(id),
  parent,
  type: 'tool_result',
  call,
  content: [],
  isError: false,
  effects: [],
});

test('results that each name their answer as parent follow one another; a second result of one call is a branch', () => {
  const answered = [user('u', null), answer('a', 'u'), result('1', 'a'), result('2', 'a'), result('3', 'a')];
  const chain = (log: TranscriptLog): string => log.chain.map(({ id }) => id).join(' ');
  expect(chain(logOf(...answered))).toBe('u a 1 2 3');
  expect(chain(logOf(...answered, answer('b', '3'), result('4', 'b')))).toBe('u a 1 2 3 b 4');
  expect(chain(logOf(...answered, result('again', 'a', '1')))).toBe('u a again');
  expect(chain(logOf(...answered, headAt('s', 'a'), result('4', 'a')))).toBe('u a 4');
});

test('a head that is nowhere is not taken', () => {
  const log = logOf(user('a', null), headAt('s', 'lost'));
  expect(log.head).toBe('a');
  expect(log.window).toHaveLength(1);
});

test('folds over the session never begin anew, whatever the window does', () => {
  const seen: string[] = [];
  const fold: Fold<number> = {
    name: 'seen',
    scope: 'session',
    on: ['user'],
    initial: () => 0,
    step: (count, { id }) => (seen.push(id), count + 1),
  };
  const log = logOf(user('a', null), user('b', 'a'));
  expect(log.read(fold)).toBe(2);
  log.add([headAt('s', 'a'), user('c', 'a'), boundary('x', 'c'), user('d', 'x')]);
  expect(log.read(fold)).toBe(4);
  expect(seen).toEqual(['a', 'b', 'c', 'd']);
});

test('an attachment of unknown trust is taken for third-party', () => {
  const line = (trust: unknown) =>
    JSON.stringify({
      type: 'attachment',
      uuid: 'a',
      parentUuid: null,
      attachment: { type: 'hook' },
      sidenote: { batch: { id: 'b', index: 0, count: 1 }, host: 'u', delivery: { type: 'before-prompt' }, trust },
    });
  for (const [trust, expected] of [
    ['client', 'client'],
    ['owner', 'third-party'],
    [undefined, 'third-party'],
  ])
    expect(decodeLine(line(trust), 't')).toMatchObject({ type: 'record', record: { trust: expected } });
});
