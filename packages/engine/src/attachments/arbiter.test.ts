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

/** A kind that wants so many tokens, takes what room there is, and says what it could not show. */
function wants(kind: string, size: number, changes: Partial<AttachmentKind<Data, unknown>> = {}) {
  const given: number[] = [];
  const made = kindOf(kind, {
    render: (_data, room) => {
      const shown = Math.min(size, room.tokens);
      return { content: [text('x'.repeat(4 * shown))], ...(shown < size ? { cut: `${size - shown} of ${kind}` } : {}) };
    },
    effects: (_data, room) => {
      given.push(room.tokens);
      return [];
    },
    ...changes,
  });
  return { made, given };
}
const cutsOf = (kinds: readonly AnyAttachmentKind[]) => render(kinds, 200_000).report.map(({ why }) => why);

test('as long as all of them fit, each is told whole', () => {
  expect(cutsOf([wants('a', 15_000).made, wants('b', 4_999).made, wants('c', 1).made])).toEqual([]);
});

test('what is too much is taken from the end of the catalogue; a small one is not starved by a large one before it', () => {
  const [a, b, c] = [wants('a', 15_000), wants('b', 10_000), wants('c', 1)];
  expect(cutsOf([a.made, b.made, c.made])).toEqual(['5001 of b']);
  expect([a.given, b.given]).toEqual([[20_000], [4_999]]);
});

test('kinds that yield are cut first, then the thread, then what words named, the opening last', () => {
  const opening = wants('opening', 9_000, { position: 'opening' }).made;
  const input = wants('input', 9_000, { group: 'input' }).made;
  const thread = (size: number) => wants('thread', size).made;
  const yields = (size: number) => wants('yields', size, { shortened: 'first' }).made;
  expect(cutsOf([opening, input, yields(3_000), thread(1_000)])).toEqual(['2000 of yields']);
  expect(cutsOf([opening, input, yields(3_000), thread(3_000)])).toEqual(['2500 of yields', '1500 of thread']);
  expect(cutsOf([opening, wants('input', 30_000, { group: 'input' }).made, yields(3_000), thread(3_000)])).toEqual([
    '20000 of input',
    '2500 of yields',
    '2500 of thread',
  ]);
});

test('when floors are too much together, they go too', () => {
  const many = Array.from({ length: 50 }, (_, n) => wants(`k${n}`, 1_000).made);
  const { rendered } = render(many, 200_000);
  expect(tokens(rendered.flatMap(({ content }) => content))).toBeLessThanOrEqual(20_000);
});

test('a kind that can not be cut costs the others, never the turn', () => {
  const stubborn = kindOf('stubborn', { render: () => ({ content: [text('x'.repeat(4 * 30_000))] }) });
  expect(render([wants('a', 5_000).made, stubborn], 200_000).rendered.map(({ content }) => tokens(content))).toEqual([0, 30_000]);
});

test('the share can be set', () => {
  const { made } = wants('a', 90_000);
  const found = [{ kind: made, data: { text: '' } }];
  expect(renderAll(found, { window: 200_000, tokens, share: 0.5 }).report).toEqual([]);
  expect(renderAll(found, { window: 200_000, tokens, share: 0.2 }).report[0]?.why).toBe('50000 of a');
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
