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

it.each([
  ['app/(auth)/**/*.tsx', 'app/(auth)/login/page.tsx'],
  ['app/[lang]/(shop)', 'app/[lang]/(shop)/p/page.tsx'],
  ['**/(shop)/[[...slug]]/page.tsx', 'app/(shop)/[[...slug]]/page.tsx'],
  ['src/(a|b)/*.ts', 'src/b/x.ts'],
  ['src/@(a)/*.ts', 'src/a/x.ts'],
])('%s: folders are called so, and a group with a choice is one', async (glob, path) => {
  expect((await scope(glob))(`/w/${path}`)).toBe(glob);
  expect((await excludedBy([`/w/${glob}`]))([`/w/${path}`])).toEqual({ glob: `/w/${glob}` });
});
