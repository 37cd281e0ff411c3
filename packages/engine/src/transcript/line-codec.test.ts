import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBatch } from './line-codec.js';
import { loadRecords } from './load.js';
import type { ChainRecord, TranscriptRecord } from './records.js';

const THREAD = 'thread-1';
type Body = { readonly id: string; readonly type: TranscriptRecord['type'] } & Record<string, unknown>;

/** Any UTF-16, halves of characters included, and the strings that trip readers of lines. */
const words = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
  fc.constantFrom(
    '',
    '🧊',
    '\ud83e',
    'a\ud83ebc',
    '\udc00',
    '\n',
    '\r\n\u2028',
    '\0\0',
    '\\ud83e',
    '{"type":"user"}',
    '</system-reminder>',
  ),
);
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const oddData = fc.oneof(
  json,
  fc.constantFrom(
    { type: 'x' },
    { $data: 1 },
    { $data: null, type: 2 },
    {},
    [],
    null,
    '',
    0,
    JSON.parse('{"__proto__":{"a":1}}') as unknown,
  ),
);
const id = fc.uuid();
const text = fc.record({ type: fc.constant('text'), text: words });
const media = fc.record({
  type: fc.constantFrom('image', 'document'),
  source: fc.record({ type: fc.constant('base64'), media_type: fc.constant('image/png'), data: fc.base64String() }),
});
const content = fc.array(fc.oneof(text, media), { maxLength: 4 });
const returned = fc.oneof(
  text,
  fc.record({ type: fc.constant('thinking'), thinking: words, signature: words }),
  fc.record({ type: fc.constant('redacted_thinking'), data: fc.base64String() }),
  fc.record({ type: fc.constant('tool_use'), id: words, name: words, input: json }),
  fc.record({ type: fc.constant('of_one_model_only'), content: json }),
);
const view = fc.record({
  path: words,
  digest: fc.stringMatching(/^[0-9a-f]{8}$/),
  size: fc.nat(),
  mtimeNs: fc.bigInt({ min: 0n }).map(String),
  inode: fc.nat().map(String),
  lines: fc.oneof(fc.constant('all'), fc.array(fc.tuple(fc.nat(), fc.nat()))),
  form: fc.constantFrom('raw', 'instructions'),
});
const effects = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('viewed'), view }),
    fc.record({ type: fc.constant('wrote'), view, before: fc.option(fc.stringMatching(/^[0-9a-f]{8}$/)) }),
    fc.record({ type: fc.constant('touched'), path: words }),
    fc.record({ type: fc.constantFrom('skill', 'todos', 'plan'), value: json }),
  ),
  { maxLength: 3 },
);
const usage = fc.record({
  input_tokens: fc.nat(),
  output_tokens: fc.nat(),
  cache_read_input_tokens: fc.option(fc.nat()),
  cache_creation_input_tokens: fc.option(fc.nat()),
});
const diagnostics = fc.record({ cache_miss_reason: fc.option(fc.record({ type: words })) });
const message = fc.record(
  { id: words, model: words, content: fc.array(returned, { maxLength: 5 }), stop_reason: fc.option(words), usage, diagnostics },
  { requiredKeys: ['id', 'model', 'content', 'stop_reason', 'usage'] },
);
const delivery = fc.oneof(
  fc.record({ type: fc.constantFrom('before-prompt', 'after-results', 'system-message') }),
  fc.record({ type: fc.constant('inside-result'), call: words }),
);
const section = fc.record({ name: words, text: words, static: fc.boolean() });
const tool = fc.record({ name: words, description: words, input_schema: fc.record({ type: fc.constant('object'), properties: json }) });
const place = fc.record({ section: fc.constantFrom('system', 'messages'), message: fc.nat(), block: fc.nat() });
const mark = fc.record(
  {
    at: place,
    ttl: fc.constantFrom('5m', '1h'),
    why: fc.constantFrom('boundary', 'system', 'opening', 'last-written', 'newest'),
    automatic: fc.constant(true),
  },
  { requiredKeys: ['at', 'ttl', 'why'] },
);
const moved = fc.record({ at: place, owner: words, before: words, after: words, tokens: fc.nat(), usd: fc.option(fc.nat()) });
const collected = fc.record(
  { kind: words, outcome: fc.constantFrom('new', 'unavailable', 'late', 'failed', 'off', 'cut'), ms: fc.nat(), why: words },
  { requiredKeys: ['kind', 'outcome', 'ms'] },
);
const causes = ['start', 'model', 'effort', 'fallback', 'provider-refused', 'debug'] as const;
const stateKeys = ['model', 'mode', 'effort', 'title', 'head', 'injection', 'agent'] as const;

/** One for each type; a type that is added without one fails to compile. */
const bodies: Readonly<Record<Exclude<TranscriptRecord['type'], 'foreign'>, fc.Arbitrary<Record<string, unknown>>>> = {
  user: fc.record({ content, origin: fc.constantFrom('human', 'peer', 'task', 'summary') }),
  assistant: fc.record({ message, asked: words }),
  tool_result: fc.record({ call: words, content, isError: fc.boolean(), effects }),
  attachment: fc.record({
    kind: words,
    version: fc.nat(),
    data: oddData,
    content,
    host: id,
    delivery,
    trust: fc.constantFrom('client', 'user', 'third-party'),
    wrap: fc.option(words),
    title: words,
    reason: words,
    effects,
  }),
  compact_boundary: fc.record({
    before: id,
    keepFrom: fc.option(id),
    trigger: fc.constantFrom('auto', 'manual', 'overflow'),
    preTokens: fc.nat(),
  }),
  prefix: fc.record(
    {
      cause: fc.constantFrom(...causes),
      system: fc.array(section),
      tools: fc.array(tool),
      model: words,
      params: json,
      client: words,
      layer: fc.record({ won: words, lost: fc.array(words), proactive: fc.boolean() }),
      absent: fc.array(collected),
      without: fc.subarray(['thinking', 'system-message']),
    },
    { requiredKeys: ['cause', 'system', 'tools', 'model', 'params', 'client'] },
  ),
  request: fc.record(
    {
      purpose: fc.constantFrom('turn', 'summary', 'side'),
      head: id,
      prefix: id,
      digest: words,
      base: words,
      added: fc.array(words),
      sealed: fc.nat(),
      marks: fc.array(mark),
      ancestor: fc.option(id),
      moved,
      collected: fc.array(collected),
    },
    { requiredKeys: ['purpose', 'head', 'prefix', 'digest', 'added', 'sealed', 'marks', 'collected'] },
  ),
  queue: fc.record({ operation: fc.constantFrom('enqueue', 'remove'), item: id, value: json }, { requiredKeys: ['operation', 'item'] }),
  state: fc.record({ key: fc.constantFrom(...stateKeys), value: json }),
};

const body: fc.Arbitrary<Body> = fc.oneof(
  ...Object.entries(bodies).map(([type, fields]) =>
    fc.record({ id, more: fields }).map(({ id: own, more }) => ({ ...more, id: own, type: type as Body['type'] })),
  ),
);
const BESIDE = new Set(['request', 'queue', 'state']);

/** The bodies as one batch, as a writer would number them. */
function batchOf(all: readonly Body[], batch: string, at: string): readonly TranscriptRecord[] {
  return all.map((one, index) => ({
    ...one,
    at,
    thread: THREAD,
    batch: { id: batch, index, count: all.length },
    ...(BESIDE.has(one.type) ? {} : { parent: one.type === 'compact_boundary' ? null : (all[index - 1]?.id ?? 'before') }),
  })) as unknown as readonly TranscriptRecord[];
}
const batch = fc
  .record({
    all: fc.uniqueArray(body, { selector: (one) => one.id, minLength: 1, maxLength: 6 }),
    id,
    at: fc.constant('2026-10-22T09:00:00.000Z'),
  })
  .map(({ all, id: own, at }) => batchOf(all, own, at));

async function* each(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}
const context = { fields: { sessionId: 'session', cwd: '/p', version: '1', gitBranch: 'main' }, lineOfCall: () => undefined };
const load = (lines: readonly string[]) => loadRecords(each(lines), THREAD);

/** What a file can hold of a value: halves of characters replaced, names of members included. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), storable(inner)]));
}

test('records of every type come back as they were written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(batch, { selector: (one) => one[0]?.batch.id, minLength: 1, maxLength: 4 }), async (batches) => {
      const ids = batches.flat().map((record) => record.id);
      fc.pre(new Set(ids).size === ids.length);
      const lines = batches.flatMap((one) => encodeBatch(one, context));
      expect(lines.some((line) => line.includes('\n'))).toBe(false);
      const loaded = await load(lines);
      expect(loaded.notes).toEqual([]);
      expect(loaded.foreign).toBe(0);
      expect(loaded.records).toEqual(storable(batches.flat()));
    }),
    { numRuns: 300 },
  );
});

test('what was read is written again to the same lines', async () => {
  await fc.assert(
    fc.asyncProperty(batch, async (one) => {
      const lines = encodeBatch((await load(encodeBatch(one, context))).records, context);
      expect(encodeBatch((await load(lines)).records, context)).toEqual(lines);
    }),
    { numRuns: 100 },
  );
});

test('no line throws, whatever stands in it', async () => {
  const line = fc.oneof(
    fc.string(),
    json.map((value) => JSON.stringify(value)),
    // Lines of ours with one member replaced by anything.
    fc.tuple(batch, fc.nat(), fc.nat(), json).map(([one, at, member, value]) => {
      const lines = encodeBatch(one, context);
      const object = JSON.parse(lines[at % lines.length] ?? '{}') as Record<string, unknown>;
      const names = Object.keys(object);
      return JSON.stringify({ ...object, [names[member % names.length] ?? 'type']: value });
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const { records } = await load(lines);
      expect(encodeBatch(records, context).length).toBeGreaterThanOrEqual(records.length);
    }),
    { numRuns: 300 },
  );
});

test('an answer is one line a block under one message id, so that other readers can show it', () => {
  const answer: ChainRecord = {
    id: '0000000a-0000-4000-8000-000000000000',
    at: '2026-10-22T09:00:00.000Z',
    thread: THREAD,
    parent: 'before',
    batch: { id: 'b', index: 0, count: 1 },
    type: 'assistant',
    message: {
      id: 'msg_1',
      model: 'm',
      content: [{ type: 'thinking' }, { type: 'text' }, { type: 'tool_use' }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: null, cache_creation_input_tokens: null },
    },
    asked: 'm',
  };
  const lines = encodeBatch([answer], context).map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
    [lines[1]?.['parentUuid'], 'before'],
    [lines[2]?.['parentUuid'], lines[0]?.['uuid']],
    [answer.id, lines[1]?.['uuid']],
  ]);
  expect(new Set(lines.map(({ message }) => (message as { id: string }).id))).toEqual(new Set(['msg_1']));
});
