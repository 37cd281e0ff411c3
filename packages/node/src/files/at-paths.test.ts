import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atPaths } from './index.js';
import { withoutCode } from './code-ranges.js';

const files = new Set([
  'a.ts',
  'a',
  'a b.md',
  'flow.md',
  'docs',
  'docs/',
  'docs/x.md',
  'v1.',
  'odd#name',
  'acme/tool',
  '~/My Notes/team.md',
  '/etc/hosts',
  'app/(group)/page.tsx',
  'README',
  '~/b.md',
]);
const found = (text: string): string[] =>
  atPaths(withoutCode(text), (path) => files.has(path)).map(
    ({ path, lines, found: is }) => `${is ? '' : '?'}${path}${lines ? ` ${lines.join('-')}` : ''}`,
  );

describe('atPaths', () => {
  it.each([
    ['see @a.ts', ['a.ts']],
    ['@a.ts', ['a.ts']],
    ['(@flow.md) @flow.md: @flow.md, @flow.md. **@flow.md**', ['flow.md', 'flow.md', 'flow.md', 'flow.md', 'flow.md']],
    ['see @"a b.md" and @\'a b.md\' and @a\\ b.md', ['a b.md', 'a b.md', 'a b.md']],
    ['see @a b.md please', ['a b.md']],
    ['see @a, b.md', ['a']],
    ['@~/My Notes/team.md', ['~/My Notes/team.md']],
    ['@a.ts#L10-20 @a.ts#L10 @a.ts#L20-L10. @"a b.md"#L2', ['a.ts 10-20', 'a.ts 10-10', 'a.ts 10-20', 'a b.md 2-2']],
    ['@a.ts:10 @a.ts:10-20, @a.ts:20:3: @a.ts: x', ['a.ts 10-10', 'a.ts 10-20', 'a.ts 20-20', 'a.ts']],
    ['@odd#name @flow.md#heading', ['odd#name', 'flow.md']],
    ['@docs/ @docs/x.md @/etc/hosts @README', ['docs/', 'docs/x.md', '/etc/hosts', 'README']],
    ['ends so: @v1.', ['v1.']],
    ['@app/(group)/page.tsx', ['app/(group)/page.tsx']],
    ['@~/b.md@~/My\\ Notes/team.md', ['~/b.md', '~/My Notes/team.md']],
    ['请看@flow.md', ['flow.md']],
    ['参照：@flow.md。次は@docs/x.mdを、@a.ts、@gone.mdの順に', ['flow.md', 'docs/x.md', 'a.ts', '?gone.md']],
    ["@flow.md's rules, @docs/x.md’s, @gone.md's", ['flow.md', 'docs/x.md', '?gone.md']],
    ['_@flow.md_ __@docs/x.md__', ['flow.md', 'docs/x.md']],
    ['@flow.md,@docs/x.md;@a.ts', ['flow.md', 'docs/x.md', 'a.ts']],
  ])('finds %s', (text, expected) => expect(found(text)).toEqual(expected));

  it.each([
    'mail dev@corp.example or josé@flow.md',
    'Use @param and @returns; in Python @overload. ping @alice.',
    'npx @scope/pkg and @types/node',
    '@app.route("/x") and @pytest.fixture and @Component({})',
    'a link [x](@flow.md), <a href="@flow.md">, \\@flow.md, x@flow.md',
    'in `@flow.md` and ``a ` @flow.md``',
    '```\n@flow.md\n```',
    '~~~~\n@flow.md\n~~~\n@flow.md\n~~~~',
    '- item\n- ```\n  @flow.md\n  ```\n',
    '@ nothing @\n@',
    '@server:db://table/x.md',
    'import { x } from "@/lib/utils.ts"; e.g. @/app/page.tsx, @/styles/x.css',
    'a_@flow.md and a__@flow.md',
  ])('passes over %s', (text) => expect(found(text)).toEqual([]));

  it.each([
    ['see @missing.md.', ['?missing.md']],
    ['@./x @../y/z @~/q', ['?./x', '?../y/z', '?~/q']],
    ['@"not here"', ['?not here']],
    ['@src/deep/file.ts#L3', ['?src/deep/file.ts 3-3']],
    ['@gone.ts:3 @host:8080 @db:5432/x', ['?gone.ts 3-3']],
    ['@gone/', ['?gone/']],
  ])('says of %s that it is missing', (text, expected) => expect(found(text)).toEqual(expected));

  it('looks at the disk within bounds, however many @ a pasted log holds', () => {
    let looks = 0;
    const exists = (path: string): boolean => (looks += 1) > 0 && path === 'a.ts';
    const log = Array.from({ length: 20_000 }, (_, i) => `at @${i}.x.y.z.... and so on`).join('\n');
    expect(atPaths(`@a.ts\n${log}`, exists).map(({ path }) => path)).toEqual(['a.ts']);
    expect(looks).toBeLessThanOrEqual(5000);
  });

  it('holds offsets and raw words of the text, whatever it is', () => {
    const parts = fc.constantFrom('@', 'a.ts', ' ', '"', '\\', '#L3', '-', '`', '(', ')', '\n', '.', '~/', 'é', '😀', '\0');
    fc.assert(
      fc.property(
        fc.array(parts).map((all) => all.join('')),
        (text) => {
          for (const { at, raw } of atPaths(text, (path) => path.length % 3 === 0)) expect(text.slice(at, at + raw.length)).toBe(raw);
        },
      ),
    );
  });
});

it('blanks code without moving anything', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('`', '```', '~~~', '\n', 'x', '@a', ' ')).map((all) => all.join('')),
      (text) => {
        const blanked = withoutCode(text);
        expect(blanked.length).toBe(text.length);
        expect(blanked.split('\n').length).toBe(text.split('\n').length);
      },
    ),
  );
});
