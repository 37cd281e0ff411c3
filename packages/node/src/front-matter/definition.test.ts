import { expect, it } from 'vitest';
import { definitionOf } from './definition.js';

it('gives fields, their lines and the text behind them, whatever the line ends', async () => {
  const text =
    '---\nname: deploy\n# a note\ndescription: Puts it out: with care\npaths:\n  - "**/*.ts"\n  - *.md\nflag: true\n---\nDo it.\n';
  for (const source of [text, text.replaceAll('\n', '\r\n'), `\n${text}`]) {
    const { fields, body, lineOf, problem } = await definitionOf(source);
    expect(fields).toEqual({ name: 'deploy', description: 'Puts it out: with care', paths: ['**/*.ts', '*.md'], flag: true });
    expect(body).toBe('Do it.\n');
    expect(lineOf('paths')).toBe(source.startsWith('\n') ? 6 : 5);
    expect(problem).toBeUndefined();
  }
});

it('reads what a plain line says without a parser, and leaves the rest to it', async () => {
  const fields = async (yaml: string) => (await definitionOf(`---\n${yaml}\n---\n`)).fields;
  expect(await fields('a: word\nb: true\nc: "q"\nd: 12')).toEqual({ a: 'word', b: true, c: 'q', d: 12 });
  expect(await fields('a: [beta] tagged\nb: [x] [y]\nc: [p, "q"]\nd: *.md')).toEqual({
    a: '[beta] tagged',
    b: '[x] [y]',
    c: ['p', 'q'],
    d: '*.md',
  });
  expect(await fields('a: Use when: x')).toEqual({ a: 'Use when: x' });
  expect(await fields('a: null\nb: text # note')).toEqual({ a: null, b: 'text' });
  expect(await fields('a: >\n  folded\n  text')).toEqual({ a: 'folded text\n' });
});

it('gives nothing but JSON: what holds itself is no value, and nothing is printed', async () => {
  const warned: unknown[] = [];
  const listen = (warning: Error): void => void warned.push(warning);
  process.on('warning', listen);
  const fields = async (yaml: string) => (await definitionOf(`---\n${yaml}\n---\n`)).fields;
  expect(await fields('a: &a\n  b: [*a]')).toEqual({});
  expect(await fields('a: &a [ *a ]')).toEqual({ a: '&a [ *a ]' });
  expect(await fields('a: &a [1]\nb: *a')).toEqual({ a: [1], b: [1] });
  expect(await fields('a: !!set {x, y}\nb: .nan')).toEqual({ a: {}, b: null });
  expect(await fields('a:\n  ? [x]\n  : 1')).toEqual({ a: { '[ x ]': 1 } });
  await new Promise(setImmediate);
  process.off('warning', listen);
  expect(warned).toEqual([]);
});

it('keeps the text when the front matter is beyond reading', async () => {
  expect(await definitionOf('---\nname: [a\n  b: }\n---\nText.\n')).toMatchObject({
    fields: {},
    body: 'Text.\n',
    problem: { line: 2, message: 'its front matter is not valid YAML' },
  });
  expect(await definitionOf('---\nname: a\n\nText.\n')).toMatchObject({ fields: {}, problem: { line: 1 } });
  expect((await definitionOf('Only text.\n\n---\n')).problem).toBeUndefined();
});

it('takes no time over what was written to take time, and is not ended by it', async () => {
  for (const unit of [' ', '[', '{a: ', '- ', '? ', ': ', '"', '- [']) {
    for (const start of ['a: b', 'a: "b', 'a: true', 'a: ', '']) {
      const long = await definitionOf(`---\n${start}${unit.repeat(20_000)}x\n---\nText.\n`);
      expect(long).toMatchObject({ fields: {}, body: 'Text.\n' });
      expect(long.problem?.message).toMatch(/^its front matter has \d{5,6} characters; 16384 are allowed$/);
    }
    const deep = await definitionOf(`---\na: ${unit.repeat(16_000 / unit.length)}\n---\nText.\n`);
    expect(deep.body).toBe('Text.\n');
  }
}, 20_000);
