import { describe, expect, test } from 'vitest';
import { encodeBatch } from './line-codec.js';
import { loadRecords } from './load.js';
import { TranscriptLog } from './log.js';
import type { ChainRecord, TranscriptRecord } from './records.js';

const THREAD = 't';
const context = { fields: {}, lineOfCall: () => undefined };
const usage = { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: null, cache_creation_input_tokens: null };

type Given = { readonly id: string; readonly parent?: string | null };
const envelope = ({ id, parent = null }: Given) => ({ id, parent, at: '2026-10-22T09:00:00.000Z', thread: THREAD });
type Unbatched = Omit<ChainRecord, 'batch'>;

const words = (id: string, parent: string | null = null, text = `words of ${id}`): Unbatched =>
  ({ ...envelope({ id, parent }), type: 'user', content: [{ type: 'text', text }], origin: 'human' }) as Unbatched;
const answer = (id: string, parent: string, texts: readonly string[]): Unbatched =>
  ({
    ...envelope({ id, parent }),
    type: 'assistant',
    message: { id: `msg_${id}`, model: 'm', content: texts.map((text) => ({ type: 'text', text })), stop_reason: 'end_turn', usage },
    asked: 'm',
  }) as Unbatched;
const mode = (id: string, value: string) => ({ id, at: '', thread: THREAD, type: 'state', key: 'mode', value }) as unknown as Unbatched;

/** One write. */
function write(...records: readonly Unbatched[]): readonly string[] {
  const id = `batch of ${records.map((record) => record.id).join(' ')}`;
  const batch = records.map((record, index) => ({ ...record, batch: { id, index, count: records.length } }) as TranscriptRecord);
  return encodeBatch(batch, context);
}

async function load(lines: readonly string[]) {
  return loadRecords(
    (async function* () {
      yield* lines;
    })(),
    THREAD,
  );
}
const ids = (records: readonly TranscriptRecord[]) => records.map((record) => record.id);
async function chain(lines: readonly string[]): Promise<readonly string[]> {
  const log = new TranscriptLog();
  log.add((await load(lines)).records);
  return ids(log.chain);
}

const before = [...write(words('a')), ...write(answer('b', 'a', ['one', 'two', 'three']))];

describe('lines that are no records', () => {
  test('a torn last line is left out and told; what stands before it is whole', async () => {
    const torn = write(words('c', 'b'))[0] ?? '';
    for (const length of [1, torn.length >> 1, torn.length - 1]) {
      const { records, notes } = await load([...before, torn.slice(0, length)]);
      expect(ids(records)).toEqual(['a', 'b']);
      expect(notes).toEqual([expect.stringMatching(/^line 5: not readable .*; skipped$/)]);
    }
  });

  test('a line cut in the middle of a character of several bytes is told and skipped, and later ones are read', async () => {
    const bytes = Buffer.from(write(words('c', 'b', 'ice 🧊'))[0] ?? '');
    const torn = bytes.subarray(0, bytes.indexOf(Buffer.from('🧊')) + 2).toString('utf8');
    const { records, notes } = await load([...before, torn, ...write(words('d', 'b'))]);
    expect(ids(records)).toEqual(['a', 'b', 'd']);
    expect(notes).toHaveLength(1);
  });

  test('a run of NULs in the middle hides nothing behind it, and reaches no screen', async () => {
    const { records, notes } = await load([...before, '\0'.repeat(400), ...write(words('c', 'b'))]);
    expect(ids(records)).toEqual(['a', 'b', 'c']);
    expect(notes).toEqual([expect.stringMatching(/^line 5: not readable/)]);
    // oxlint-disable-next-line no-control-regex -- that is what is looked for
    expect(notes.join('')).not.toMatch(/[\0-\x1f]/);
  });

  test('lines of others are counted and not held', async () => {
    const others = [
      '{"type":"summary","summary":"x"}',
      '{"type":"user","uuid":"1","parentUuid":null,"message":{"role":"user","content":"no batch"}}',
      `{"type":"attachment","uuid":"2","sidenote":{"batch":{"id":"x","index":0,"count":1}},"attachment":{"type":"k"},"pad":"${'p'.repeat(5000)}"}`,
    ];
    const loaded = await load([...others, ...before, ...others]);
    expect(loaded).toMatchObject({ foreign: 6, notes: [] });
    expect(ids(loaded.records)).toEqual(['a', 'b']);
    expect(JSON.stringify(loaded).length).toBeLessThan(2000);
  });

  test('line ends of Windows and blank lines change nothing', async () => {
    const plain = await load(before);
    expect(await load(before.flatMap((line) => [`${line}\r`, '', ' \t\r']))).toEqual(plain);
  });
});

describe('writes that were cut short', () => {
  const three = write(words('c', 'b'), words('d', 'c'), answer('e', 'd', ['x', 'y']));

  test('as the last one it does not count, at whichever line it was cut', async () => {
    for (let kept = 1; kept < three.length; kept++) {
      const { records, notes } = await load([...before, ...three.slice(0, kept)]);
      expect(ids(records)).toEqual(['a', 'b']);
      expect(notes).toEqual([expect.stringMatching(/^line 5: the last write was cut short/)]);
    }
    expect(ids((await load([...before, ...three])).records)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('once the session went on from before it, it stays off the chain', async () => {
    const lines = [...before, ...three.slice(0, 2), ...write(words('f', 'b'))];
    expect(await chain(lines)).toEqual(['a', 'b', 'f']);
    expect((await load(lines)).notes).toEqual([expect.stringMatching(/^line 5: a write is incomplete/)]);
  });

  test('what is written beside the chain after it does not bring it back', async () => {
    expect(await chain([...before, ...three.slice(0, 2), ...write(mode('s', 'plan'))])).toEqual(['a', 'b']);
    expect(await chain([...before, ...three.slice(0, 2), ...write(mode('s', 'plan')), ...write(words('f', 'b'))])).toEqual(['a', 'b', 'f']);
  });

  test('two in a row do not bring each other back', async () => {
    const lines = [...before, ...three.slice(0, 2), ...write(words('f', 'b'), words('g', 'f')).slice(0, 1)];
    expect(await chain(lines)).toEqual(['a', 'b']);
    expect((await load(lines)).notes).toHaveLength(2);
  });

  test('one that had been sent was whole, so what is there is kept', async () => {
    const request = {
      ...mode('q', ''),
      type: 'request',
      purpose: 'turn',
      head: 'e',
      prefix: 'p',
      digest: 'd',
      sealed: 1,
      marks: [],
      collected: [],
    };
    expect(await chain([...before, ...three.slice(0, 2), ...write(request as unknown as Unbatched)])).toEqual(['a', 'b', 'c', 'd']);
    const earlier = { ...request, head: 'b' };
    expect(await chain([...before, ...three.slice(0, 2), ...write(earlier as unknown as Unbatched)])).toEqual(['a', 'b']);
  });

  test('in the middle, what is there is kept: its other lines were lost later', async () => {
    const lines = [...before, ...three.slice(0, 1), ...three.slice(2), ...write(words('f', 'e'))];
    const { records, notes } = await load(lines);
    expect(ids(records)).toEqual(['a', 'b', 'c', 'e', 'f']);
    expect(notes).toHaveLength(1);
    expect(await chain(lines)).toEqual(['a', 'b', 'c', 'e', 'f']);
  });

  test('an answer of which a block is lost keeps the others in their order', async () => {
    const lines = [...write(words('a')), ...write(answer('b', 'a', ['one', 'two', 'three'])), ...write(words('c', 'b'))];
    const { records } = await load(lines.filter((_, index) => index !== 2));
    const kept = records.find((record) => record.type === 'assistant');
    expect(kept?.type === 'assistant' ? kept.message.content : []).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'three' },
    ]);
  });
});

test('blocks of an answer stand in their order, whatever the order of their lines', async () => {
  const { records } = await load(write(answer('b', 'a', ['one', 'two', 'three'])).toReversed());
  const [only] = records;
  expect(only?.type === 'assistant' ? only.message.content.map((block) => ('text' in block ? block.text : '')) : []).toEqual([
    'one',
    'two',
    'three',
  ]);
});

describe('records that do not fit together', () => {
  test('a missing parent means the record before it in the file', async () => {
    const lines = [...before, ...write(words('c', 'nowhere')), ...write(words('d', 'c')), ...write(words('e', 'nor there'))];
    expect(await chain(lines)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a record that comes twice counts once', async () => {
    const lines = [...before, ...write(words('c', 'b')), ...before, ...write(words('d', 'c'))];
    expect(ids((await load(lines)).records)).toEqual(['a', 'b', 'c', 'd']);
    expect(await chain(lines)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('records that name each other as parents end the walk', async () => {
    expect(await chain([...write(words('a', 'b')), ...write(words('b', 'a')), ...write(words('a2', 'b'))])).toEqual(['a', 'b', 'a2']);
    expect(await chain(write(words('self', 'self')))).toEqual(['self']);
  });
});
