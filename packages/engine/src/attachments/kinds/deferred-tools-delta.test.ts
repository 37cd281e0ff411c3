import { expect, test } from 'vitest';
import { testDigest } from '../../testing/index.js';
import type { AttachmentRecord } from '../../transcript/records.js';
import type { ToolGroup } from '../ports.js';
import { deferredToolsDelta } from './deferred-tools-delta.js';
import { ask, source } from './kind.testing.js';

const group = (name: string, tools: readonly string[] | null): ToolGroup => ({ name, tools });
const many = (name: string, count: number) =>
  group(
    name,
    Array.from({ length: count }, (_, n) => `mcp__${name}__t${n}`),
  );
const told = (groups: readonly ToolGroup[], records: readonly AttachmentRecord[] = [], tokens?: number) =>
  ask(deferredToolsDelta, {
    records,
    ports: { deferredTools: source(groups), digest: testDigest },
    ...(tokens === undefined ? {} : { tokens }),
  });

test('names once, then only what came and went', async () => {
  const first = await told([group('b', ['mcp__b__x']), group('a', ['mcp__a__x', 'mcp__a__y'])]);
  expect(first.text).toMatchInlineSnapshot(`
    "More tools can be used than those in your list. ToolSearch finds them and gives their definitions.
    - a: mcp__a__x, mcp__a__y
    - b: mcp__b__x"
  `);
  expect(first.record?.title).toBe('tools to search for: a (+2), b (+1)');
  expect((await told([group('a', ['mcp__a__y', 'mcp__a__x']), group('b', ['mcp__b__x'])], first.records)).type).toBe('nothing');

  const second = await told([group('a', ['mcp__a__y', 'mcp__a__z']), group('c', ['mcp__c__x'])], first.records);
  expect(second.text).toMatchInlineSnapshot(`
    "The tools that ToolSearch finds are other ones now.
    - a: mcp__a__z; gone: mcp__a__x
    - b: gone: mcp__b__x
    - c: mcp__c__x"
  `);
  const all = [...first.records, ...second.records];
  expect((await told([group('a', ['mcp__a__y', 'mcp__a__z']), group('c', ['mcp__c__x'])], all)).type).toBe('nothing');
});

test('what can not be asked now is not told as gone, and not told anew when it is back', async () => {
  const first = await told([group('a', ['mcp__a__x'])]);
  expect((await told([group('a', null)], first.records)).type).toBe('nothing');
  expect((await told([group('a', ['mcp__a__x'])], first.records)).type).toBe('nothing');
  expect((await told([group('a', null)])).type).toBe('nothing');
  expect((await told([group('a', [])])).type).toBe('nothing');
  expect((await told([group('a', [])], first.records)).text).toContain('- a: gone: mcp__a__x');
});

test('past 500 names the largest server is one line, and a change of it another', async () => {
  const first = await told([many('big', 501), many('small', 3)]);
  expect(first.text).toContain('- big: 501 tools, too many to be named here\n- small: mcp__small__t0, mcp__small__t1, mcp__small__t2');
  expect(first.cut).toBe('the names of 501 tools of big');
  expect((await told([many('big', 501), many('small', 3)], first.records)).type).toBe('nothing');
  const second = await told([many('big', 40), many('small', 3)], first.records);
  expect(second.text.split('\n').slice(1)).toEqual(['- big: 40 tools, too many to be named here']);
  const third = await told([many('small', 3)], [...first.records, ...second.records]);
  expect(third.text.split('\n').slice(1)).toEqual(['- big: its tools are gone']);
  expect((await told([many('small', 3)], [...first.records, ...second.records, ...third.records])).type).toBe('nothing');
});

test('many servers of few tools stay under 500 names together', async () => {
  const { text } = await told(Array.from({ length: 30 }, (_, n) => many(`s${n}`, 20 + n)));
  expect(text.match(/mcp__/g)?.length).toBeLessThanOrEqual(500);
  expect(text.match(/^- s/gm)?.length).toBe(30);
});

test('what has no room is told the next time', async () => {
  const groups = Array.from({ length: 80 }, (_, n) => many(`server-with-a-name-${n}`, 10));
  const first = await told(groups, [], 1_000);
  expect(first.text.length).toBeLessThan(3_000);
  const named = (text: string) => text.match(/^- \S+/gm) ?? [];
  const second = await told(groups, first.records, 20_000);
  expect(named(first.text).length).toBeGreaterThan(10);
  expect(new Set([...named(first.text), ...named(second.text)]).size).toBe(80);
  expect(named(first.text).length + named(second.text).length).toBe(80);
});
