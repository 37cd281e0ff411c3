import { chmod, lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeSite } from './instructions.testing.js';

const folders = ['project', 'project/a', 'project/a/b', 'project/.claude', 'project/.claude/rules', 'out', 'home', 'home/.claude'];
const names = ['CLAUDE.md', 'AGENTS.md', 'CLAUDE.local.md', 'r.md', 'x y.md', 'rules'];
const path = fc.tuple(fc.constantFrom(...folders), fc.constantFrom(...names)).map((parts) => parts.join('/'));
const word = fc.oneof(
  path.map((one) => `@../${one}`),
  fc.constantFrom(...names).map((name) => `@${name}`),
  fc.constantFrom(
    '@param',
    '@"x y.md",',
    '@~/CLAUDE.md',
    '<!--',
    '-->',
    '`',
    '```\n',
    '\n',
    'words',
    '@./gone.md:',
    '@/etc/hostname',
    '\0',
  ),
);
const front = fc.constantFrom(
  ...[
    '',
    '',
    '---\npaths: "*.ts"\n---\n',
    '---\npaths:\n---\n',
    '---\npaths: [\n---\n',
    '\n---\nglobs: a\n---\n',
    '---\nrepository: x/y\n---\n',
  ],
);
const content = fc.tuple(front, fc.array(word, { maxLength: 8 })).map(([head, words]) => head + words.join(' '));
const thing: fc.Arbitrary<Thing> = fc.oneof(
  { weight: 5, arbitrary: content.map((text) => ({ type: 'file' as const, text })) },
  { weight: 2, arbitrary: fc.oneof(path, fc.constant('.'), fc.constant('gone')).map((to) => ({ type: 'link' as const, to })) },
  { weight: 1, arbitrary: fc.constant({ type: 'folder' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'locked' as const }) },
);
const tree: fc.Arbitrary<Record<string, Thing>> = fc.dictionary(path, thing, { maxKeys: 10 });

type Thing =
  | { readonly type: 'file'; readonly text: string }
  | { readonly type: 'link'; readonly to: string }
  | { readonly type: 'folder' | 'locked' };

async function make(root: string, things: Readonly<Record<string, Thing>>): Promise<void> {
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true }).catch(() => {});
  for (const [name, what] of Object.entries(things)) {
    const at = join(root, name);
    const made =
      what.type === 'link'
        ? symlink(join(root, what.to), at)
        : what.type === 'folder'
          ? mkdir(at)
          : writeFile(at, what.type === 'file' ? what.text : 'locked').then(() => (what.type === 'locked' ? chmod(at, 0) : undefined));
    await made.catch(() => {});
  }
}

/** What a start looks at, as far as it is there: every file that the report has to account for. */
async function candidates(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['home/.claude', 'project', 'project/.claude']) {
    for (const name of folder === 'home/.claude' ? ['CLAUDE.md', 'CLAUDE.local.md'] : ['CLAUDE.md', 'AGENTS.md', 'CLAUDE.local.md']) {
      if (folder === 'project/.claude' && name !== 'CLAUDE.md') continue;
      const at = join(root, folder, name);
      if ((await lstat(at).catch(() => undefined)) !== undefined) found.push(at);
    }
  }
  const rules = join(root, 'project/.claude/rules');
  const listed = await readdir(rules, { withFileTypes: true });
  return [...found, ...listed.filter((entry) => entry.isFile() && entry.name.endsWith('.md')).map(({ name }) => join(rules, name))];
}

it('of any tree every candidate is accounted for, the same each time, and nothing throws', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (things) => {
      const site = await makeSite();
      try {
        await make(site.root, things);
        const files = await site.explain();
        // What a file applies to is a function, a new one each time.
        const data = (some: typeof files): unknown => JSON.parse(JSON.stringify(some));
        expect(data(await site.explain())).toEqual(data(files));
        const known = files.flatMap(({ path: one, reason }) => {
          expect(reason).not.toBe('');
          return [one, ...(/found as ([^;]+)/.exec(reason)?.slice(1) ?? [])];
        });
        for (const candidate of await candidates(site.root)) expect(known).toContain(candidate);
        const told = files.filter(({ status }) => ['loaded', 'nested', 'scoped'].includes(status)).map(({ path: one }) => one);
        expect(new Set(told).size).toBe(told.length);
        const below = await site.below([join(site.project, 'a/b/new.ts'), join(site.out, 'x')]);
        const start = new Set((await site.read()).filter(({ status }) => status === 'loaded').map(({ path: one }) => one));
        expect(below.filter(({ path: one, status }) => status === 'loaded' && start.has(one))).toEqual([]);
      } finally {
        await site.remove();
      }
    }),
    { numRuns: 120 },
  );
}, 60_000);
