import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListedSkill } from '../ports.js';
import { skillListing } from './skill-listing.js';
import { skillsPort } from '../parts/skills.testing.js';
import { ask, moment, result } from './kind.testing.js';

const digest = (text: string) => `${text.length}-${text}`;
const deploy = { name: 'deploy', description: 'Puts the site out.' };
const notes = { name: 'notes', description: 'Writes release notes. Use when a version is tagged.' };
const listed = (skills: readonly ListedSkill[], records: Parameters<typeof ask>[1]['records'] = [], room?: number) =>
  ask(skillListing, { records, ports: { skills: skillsPort(skills, room), digest } });

test('all of them once, then what is new, changed or gone', async () => {
  const first = await listed([deploy, notes]);
  expect(first.text).toMatchInlineSnapshot(`
    "Skills: instructions for certain kinds of tasks, kept in files. When a task is of such a kind, load the skill with the Skill tool before you begin.
    - deploy: Puts the site out.
    - notes: Writes release notes. Use when a version is tagged."
  `);
  expect(first.record).toMatchObject({ title: 'skills: deploy, notes', data: { count: 2 } });
  expect((await listed([deploy, notes], first.records)).type).toBe('nothing');
  const later = await listed(
    [
      { ...deploy, description: 'Puts it out, twice.' },
      { name: 'lint', description: '' },
    ],
    first.records,
  );
  expect(later.text).toMatchInlineSnapshot(`
    "These skills are new or have changed:
    - deploy: Puts it out, twice.
    - lint
    These skills are gone: notes."
  `);
  const all = [...first.records, ...later.records];
  expect(
    (
      await listed(
        [
          { ...deploy, description: 'Puts it out, twice.' },
          { name: 'lint', description: '' },
        ],
        all,
      )
    ).type,
  ).toBe('nothing');
  expect((await listed([deploy, notes], all)).text).toContain('notes');
});

test('nothing is told as gone by a source that can’t answer', async () => {
  const first = await listed([deploy]);
  const skills = { ...skillsPort([]), read: async () => ({ type: 'unavailable' as const, why: 'the disk is away' }) };
  expect(await ask(skillListing, { records: first.records, ports: { skills, digest } })).toMatchObject({
    type: 'unavailable',
    why: 'the disk is away',
  });
});

test('without skills there is nothing to say', async () => {
  expect((await listed([])).type).toBe('nothing');
});

test('over its room it says how many are cut, to the model before the list and to the person by name', async () => {
  const many = Array.from({ length: 30 }, (_, n) => ({ name: `s${n}`, description: `Phrase ${n}. ${'And more words. '.repeat(20)}` }));
  const told = await listed(many, [], 2_000);
  expect(told.text.split('\n')[1]).toBe('(For want of room 30 of 30 descriptions are shortened; loading a skill gives its whole text.)');
  expect(told.cut).toContain('descriptions shortened: s0, s1');
  for (const { name } of many) expect(told.text).toContain(`- ${name}: Phrase ${name.slice(1)}.`);
  expect((await listed(many, [], 200)).text).toContain('30 of 30 skills stand here by name only');
});

test('a later listing takes what room the first left, and a tenth in any case', async () => {
  const first = await listed([{ name: 'a', description: 'x'.repeat(900) }], [], 1_000);
  const later = await listed(
    [
      { name: 'a', description: 'x'.repeat(900) },
      { name: 'b', description: 'y'.repeat(900) },
    ],
    first.records,
    1_000,
  );
  expect(later.text.length).toBeLessThan(350);
  expect(later.text).toContain('- b: yyy');
});

test('hundreds of names fit into the record', async () => {
  const many = Array.from({ length: 900 }, (_, n) => ({ name: `a-skill-of-some-name-${n}`, description: 'Does it.' }));
  const first = await listed(many);
  expect(JSON.stringify(first.record?.data).length).toBeLessThan(4_096);
  expect((await listed(many, first.records)).type).toBe('nothing');
});

test('asks for skills beside what was touched, by earlier results and by this very prompt', async () => {
  const skills = skillsPort([]);
  const records = [result('c', 'text', [{ type: 'touched', path: '/w/lib/a.ts' }])];
  const now = moment({ effects: [{ type: 'touched', path: '/w/app/b.ts' }] });
  await ask(skillListing, { records, ports: { skills, digest }, moment: now });
  expect(skills.asked).toEqual([['/w/lib/a.ts', '/w/app/b.ts']]);
});

test('whatever comes and goes, a model that reads every listing knows exactly what there is, and hears nothing twice', async () => {
  const catalogue = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('One.', 'Two.', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(catalogue, { maxLength: 8 }), async (catalogues) => {
      const known = new Map<string, string>();
      let records: Parameters<typeof ask>[1]['records'] = [];
      for (const now of catalogues) {
        const skills = Object.entries(now).map(([name, description]) => ({ name, description }));
        const told = await listed(skills, records);
        for (const [, name = '', description = ''] of told.text.matchAll(/^- (\w)(?:: (.*))?$/gm)) {
          expect(known.get(name)).not.toBe(description);
          known.set(name, description);
        }
        for (const name of /are gone: (.*)\.$/.exec(told.text)?.[1]?.split(', ') ?? []) expect(known.delete(name)).toBe(true);
        expect(Object.fromEntries(known)).toEqual({ ...now });
        records = [...(records ?? []), ...told.records];
        expect((await listed(skills, records)).type).toBe('nothing');
      }
    }),
  );
});
