import { expect, it } from 'vitest';
import { searchSkills } from './search.js';

const skills = [
  { name: 'release-notes', description: 'Writes release notes from merged pull requests. Use when a version is tagged.' },
  { name: 'db-migration', description: 'Plans and writes a migration of the Postgres database schema.' },
  { name: 'slides', description: 'Makes presentation slides in the house style.' },
  { name: '発表', description: '発表資料を作成するときに使う' },
];

it.each([
  ['write the release notes for 2.1', 'release-notes'],
  ['we need a postgres migration for users', 'db-migration'],
  ['make a few slides about it', 'slides'],
  ['run dbMigration for the new schema', 'db-migration'],
  ['the ＰＯＳＴＧＲＥＳ ｓｃｈｅｍａ is old', 'db-migration'],
  ['明日の発表資料を作成して', '発表'],
])('%s: %s', async (words, name) => {
  expect((await searchSkills(words, skills))[0]).toBe(name);
});

it('finds nothing where nothing fits', async () => {
  expect(await searchSkills('fix the failing test in parser.ts', skills)).toEqual([]);
  expect(await searchSkills('please use this', skills)).toEqual([]);
  expect(await searchSkills('', skills)).toEqual([]);
});
