import { describe, expect, it } from 'vitest';
import { plainUrl } from './git-folder.js';
import { scopeTest } from './globs.js';
import { renderInstructions } from './render.js';

const scope = async (source: string) => (await renderInstructions(source)).scope;

describe('a scope', () => {
  it.each([
    ['globs: "*.py"', ['*.py']],
    ['globs: src/**, lib/**\nalwaysApply: false', ['src/**', 'lib/**']],
    ['applyTo: "**/*.ts,**/*.tsx"', ['**/*.ts', '**/*.tsx']],
    ['alwaysApply: false', []],
    ['description: x\nglobs:\nalwaysApply: false', []],
  ])('%j has the globs %j', async (yaml, globs) => {
    expect(await scope(`---\n${yaml}\n---\nB`)).toEqual({ type: 'paths', globs });
  });

  it.each(['paths: "*.ts"\nalwaysApply: true', 'title: "unclosed', 'title: &x', 'description: a plain line, with (marks).'])(
    '%j is always on',
    async (yaml) => expect(await scope(`---\n${yaml}\n---\nB`)).toEqual({ type: 'always' }),
  );

  it.each([
    ['---\npath: src/**\n---\nB', '`path` is no field; it is written `paths`'],
    ['---\nPaths: src/**\n---\nB', '`Paths` is no field; it is written `paths`'],
    ['---\nalwaysApply: "yes"\n---\nB', '`alwaysApply` is neither true nor false'],
    ['---\npaths: src/**\nNo end, only text.\n', 'its front matter has no closing ---'],
    ['---\npaths: src/**\nno field at all\n---\nB', 'its front matter is not valid YAML'],
    ['# Title\n\n---\npaths: src/**\n---\nB', 'its front matter does not come first'],
  ])('%j is broken, and says why', async (source, why) => expect(await scope(source)).toEqual({ type: 'broken', why }));

  it('that stands in code is an example', async () => {
    expect(await scope('Write it so:\n\n```\n---\npaths: src/**\n---\n```\n\n---\n\nMore.\n\n---\n')).toEqual({ type: 'always' });
  });

  it('that can’t be parsed and scopes nothing is a note', async () => {
    expect((await renderInstructions('---\ntitle: "unclosed\n---\nB')).notes).toEqual(['its front matter is not valid YAML']);
  });
});

describe('a glob', () => {
  it.each([
    [['src/**'], 'src/a/b.ts', true],
    [['src/'], 'src/a.ts', true],
    [['src'], 'src/a.ts', true],
    [['./src/*.ts'], 'src/a.ts', true],
    [['/src/*.ts'], 'src/a.ts', true],
    [['*.ts'], 'deep/in/a.ts', true],
    [['./*.ts'], 'deep/a.ts', false],
    [['src/*.ts'], 'src/in/a.ts', false],
    [['/base/src/*.ts'], 'src/a.ts', true],
    [['~/notes/**'], '../home/notes/n.md', true],
    [['app/[id]/page.tsx'], 'app/[id]/page.tsx', true],
    [['**/*.ts', '!**/*.test.ts'], 'a.test.ts', false],
    [['**/*.ts', '!**/*.test.ts'], 'a.ts', true],
    [['!src/**'], 'lib/a.ts', true],
    [['!src/**'], 'src/a.ts', false],
    [['src/**'], '../elsewhere/src/a.ts', false],
    [['['], 'a.ts', false],
    [[], 'a.ts', false],
  ])('of %j with the path %s: %s', async (globs, path, matches) => {
    const match = await scopeTest({ globs, bases: ['/base'], home: '/home' });
    expect(match(new URL(path, 'file:///base/').pathname.replaceAll('%5B', '[').replaceAll('%5D', ']')) !== undefined).toBe(matches);
  });
});

it.each([
  ['git@github.com:acme/app.git', 'github.com/acme/app'],
  ['https://user@GitHub.com/acme/app/', 'github.com/acme/app'],
  ['ssh://git@host.example:2222/acme/app.git', 'host.example/acme/app'],
  ['github.com/acme/app', 'github.com/acme/app'],
  ['/srv/git/app.git', '/srv/git/app'],
])('the origin %s is %s', (url, plain) => expect(plainUrl(url)).toBe(plain));
