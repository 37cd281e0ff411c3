import { expect, test } from 'vitest';
import type { TranscriptRecord } from '../../transcript/records.js';
import { invokedSkills, typedSkill } from './invoked-skills.js';
import { skillInvoked, type SkillInvocation } from '../parts/skill-effects.js';
import { ask, result, text } from './kind.testing.js';

const envelope = (id: string) => ({ id, at: '', thread: 't', parent: null, batch: { id, index: 0, count: 1 } });
const user = (id: string): TranscriptRecord => ({ ...envelope(id), type: 'user', content: [text('words')], origin: 'human' });
const boundary = (id: string, keepFrom: string | null): TranscriptRecord => ({
  ...envelope(id),
  type: 'compact_boundary',
  before: 'x',
  keepFrom,
  trigger: 'manual',
  preTokens: 1,
});
const invocation = (name: string): SkillInvocation => ({
  name,
  args: '',
  digest: `d-${name}`,
  folder: `/s/${name}`,
  grants: ['Bash(ls:*)'],
  whole: true,
});
const loaded = (name: string) => result(`call-${name}`, 'body', [skillInvoked(invocation(name))]);
const blobs = (texts: Readonly<Record<string, string>> = {}) => ({
  blobs: { put: async (words: string) => words, get: async (digest: string) => texts[digest] ?? `Body of ${digest}.` },
});

test('after a boundary the texts come again, the newest first, once', async () => {
  const before = [user('u1'), loaded('one'), loaded('two'), loaded('one')];
  expect((await ask(invokedSkills, { records: before, ports: blobs() })).type).toBe('nothing');
  const records = [...before, boundary('b', null), user('u2')];
  const again = await ask(invokedSkills, { records, ports: blobs() });
  expect(again.text).toMatchInlineSnapshot(`
    "These skills were loaded earlier in this session. What they say still counts for the work they were loaded for.

    Body of d-one.

    Body of d-two."
  `);
  expect(again.record?.effects).toEqual([
    skillInvoked({ ...invocation('one'), grants: [] }),
    skillInvoked({ ...invocation('two'), grants: [] }),
  ]);
  expect((await ask(invokedSkills, { records: [...records, ...again.records], ports: blobs() })).type).toBe('nothing');
});

test('what a kept tail still holds is not repeated', async () => {
  const records = [user('u1'), loaded('old'), user('u2'), loaded('kept'), boundary('b', 'u2')];
  expect((await ask(invokedSkills, { records, ports: blobs() })).text).not.toContain('d-kept');
  expect((await ask(invokedSkills, { records, ports: blobs() })).text).toContain('d-old');
  const twice = [...records, user('u3'), boundary('c', null)];
  expect((await ask(invokedSkills, { records: twice, ports: blobs() })).text).toContain('d-kept');
});

test('each has its limit, all have one together, and what is left is named', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const records = [...names.map(loaded), boundary('b', null)];
  const long = Object.fromEntries(names.map((name) => [`d-${name}`, `line of ${name}\n`.repeat(3_000)]));
  const again = await ask(invokedSkills, { records, ports: blobs(long), tokens: 100_000 });
  expect(again.text.length).toBeLessThan(76_000);
  expect(again.text).toContain('Loaded before, and not repeated: b, a.');
  expect(again.cut).toBe('cut: g, f, e, d, c; by name only: b, a');
});

test('a skill that was typed leaves its mark and no text', async () => {
  const data = typedSkill(invocation('typed'));
  const typed = JSON.parse(JSON.stringify(data));
  expect(invokedSkills.render(typed, { tokens: 100 }).content).toEqual([]);
  expect(invokedSkills.effects?.(typed, { tokens: 100 })).toEqual([skillInvoked(invocation('typed'))]);
  expect(invokedSkills.title(typed)).toBe('skill: typed');
});
