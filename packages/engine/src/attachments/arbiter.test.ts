import { expect, test } from 'vitest';
import type { Content } from '../content/content.js';
import { FakeClock, testPorts } from '../testing/index.js';
import { renderAll } from './arbiter.js';
import { defineAttachment, lastOf, type AnyAttachmentKind, type AttachmentKind } from './contract.js';

type Data = { readonly text: string };
const text = (words: string): Content => ({ type: 'text', text: words });

function kindOf(kind: string, changes: Partial<AttachmentKind<Data, unknown>> = {}): AnyAttachmentKind {
  return defineAttachment<Data, unknown>({
    kind,
    version: 1,
    needs: [],
    group: 'thread',
    wait: 'may',
    trust: 'client',
    told: lastOf(kind, (data) => data),
    decode: (data) => data,
    collect: () => ({ type: 'nothing' }),
    render: (data) => ({ content: [text(data.text)] }),
    title: () => `title of ${kind}`,
    reason: () => 'test',
    ...changes,
  });
}
const { tokens } = testPorts(new FakeClock());
const render = (kinds: readonly AnyAttachmentKind[], window = 1_000_000) =>
  renderAll(
    kinds.map((kind) => ({ kind, data: { text: `text of ${kind.kind}` } })),
    { window, tokens },
  );
const boom = () => {
  throw new Error('boom');
};

test('a kind that throws anywhere is left out and reported; the others are told', () => {
  const { rendered, report } = render([
    kindOf('a'),
    kindOf('render', { render: boom }),
    kindOf('title', { title: boom }),
    kindOf('reason', { reason: boom }),
    kindOf('keep', { keep: boom }),
    kindOf('call', { call: boom }),
    kindOf('b'),
  ]);
  expect(rendered.map(({ kind }) => kind.kind)).toEqual(['a', 'b']);
  expect(report.map(({ kind, outcome, why }) => `${kind} ${outcome}: ${why}`)).toEqual([
    'render failed: boom',
    'title failed: boom',
    'reason failed: boom',
    'keep failed: boom',
    'call failed: boom',
  ]);
});

test('a kind that keeps more than four kilobytes is reported, and nothing of it is told', () => {
  const fits = kindOf('fits', { keep: () => 'x'.repeat(4094) });
  const floods = kindOf('floods', { keep: () => 'x'.repeat(4095) });
  const { rendered, report } = render([fits, floods]);
  expect(rendered.map(({ kind }) => kind.kind)).toEqual(['fits']);
  expect(report).toEqual([
    { kind: 'floods', outcome: 'failed', ms: 0, why: 'floods keeps 4097 characters of data; at most 4096 are allowed' },
  ]);
});

test('data that is no JSON is reported, not stored', () => {
  const { rendered, report } = render([kindOf('odd', { keep: () => undefined as never }), kindOf('big', { keep: () => 1n as never })]);
  expect(rendered).toEqual([]);
  expect(report.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
});

test('room goes to whoever comes first, and effects are told the same room', () => {
  const rooms: Record<string, number[]> = { a: [], b: [], c: [] };
  const takes = (kind: string, size: number) =>
    kindOf(kind, {
      render: (_data, room) => {
        rooms[kind]?.push(room.tokens);
        return { content: [text('x'.repeat(4 * size))], ...(room.tokens < size ? { cut: `no room for ${kind}` } : {}) };
      },
      effects: (_data, room) => {
        rooms[kind]?.push(room.tokens);
        return [];
      },
    });
  const { report } = render([takes('a', 15_000), takes('b', 10_000), takes('c', 1)], 200_000);
  expect(rooms).toEqual({ a: [20_000, 20_000], b: [5_000, 5_000], c: [0, 0] });
  expect(report).toEqual([
    { kind: 'b', outcome: 'cut', ms: 0, why: 'no room for b' },
    { kind: 'c', outcome: 'cut', ms: 0, why: 'no room for c' },
  ]);
});

test('a large window gives a tenth of it, a small one never less than twenty thousand tokens', () => {
  const asked: number[] = [];
  const kind = kindOf('a', {
    render: (_data, room) => {
      asked.push(room.tokens);
      return { content: [] };
    },
  });
  for (const window of [1_000_000, 200_000, 8_000]) render([kind], window);
  expect(asked).toEqual([100_000, 20_000, 20_000]);
});

test('blank text is dropped, media stays', () => {
  const image: Content = { type: 'image', source: { type: 'base64' } };
  const { rendered } = render([kindOf('a', { render: () => ({ content: [text(''), text(' \n'), image, text('words')] }) })]);
  expect(rendered[0]?.content).toEqual([image, text('words')]);
});
