import { expect, it } from 'vitest';
import { excludedBy, scopeTest } from './globs.js';

const scope = (glob: string) => scopeTest({ globs: [glob], bases: ['/w'], home: '/h' });

it.each([
  ['*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab', `${'a'.repeat(80)}c`],
  ['+(a|aa)b', `${'a'.repeat(80)}c`],
  [`${'**/a/'.repeat(20)}b`, `${'a/'.repeat(60)}c`],
])('%s matches nothing, and at once: a hostile glob must not hold the process', async (glob, path) => {
  expect((await scope(glob))(`/w/${path}`)).toBeUndefined();
  expect((await excludedBy([glob]))([`/w/${path}`])).toBeUndefined();
});

it('globs with a few stars match as ever', async () => {
  for (const [glob, path] of [
    ['src/**/*.test.*.ts', 'src/a/b/c.test.x.ts'],
    ['**/a/**/b/**/*.{ts,tsx}', 'x/a/y/b/z/c.tsx'],
    ['*-*-*-*.md', '2026-11-30-notes.md'],
  ] as const)
    expect((await scope(glob))(`/w/${path}`)).toBe(glob);
});
