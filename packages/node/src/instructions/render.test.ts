import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitFrontMatter } from './front-matter.js';
import { renderInstructions } from './index.js';

const text = async (source: string): Promise<string> => (await renderInstructions(source)).text;

describe('comments', () => {
  it.each([
    ['TOP\n\n<!-- hid\nhid -->\n\nEND', 'TOP\n\nEND'],
    ['one <!-- hid --> two', 'one  two'],
    ['para\n<!-- hid\nhid -->\nnext', 'para\nnext'],
    ['`<!-- span -->` and ``a ` <!-- b -->``', '`<!-- span -->` and ``a ` <!-- b -->``'],
    ['```html\n<!-- kept -->\n```', '```html\n<!-- kept -->\n```'],
    ['- item\n\n      <!-- indented code -->', '- item\n\n      <!-- indented code -->'],
    ['<!-- a -->\n\nMID\n\n<!--\n```\nhid\n-->\n\nEND\n\n```\ncode <!-- kept -->\n```', 'MID\n\nEND\n\n```\ncode <!-- kept -->\n```'],
    ['start <!-- hid\n\nhid --> end', 'start  end'],
    ['\\<!-- text -->', '\\<!-- text -->'],
    ['a ` tick <!-- hid -->', 'a ` tick'],
    ['> quoted <!-- hid --> words', '> quoted  words'],
  ])('of %j give %j', async (source, expected) => expect(await text(source)).toBe(expected));

  it('that never end are text, and said', async () => {
    const rendered = await renderInstructions('TOP\n\n<!-- closed -->\n\n<!-- tail\n\nAFTER');
    expect(rendered.text).toBe('TOP\n\n<!-- tail\n\nAFTER');
    expect(rendered.notes).toEqual(['a comment (<!--) is not closed; the text after it is kept']);
  });
});

describe('front matter', () => {
  it.each([
    ['paths:\n  - "src/**/*.ts"', ['src/**/*.ts']],
    ['paths:\n  - src/**/*.ts\n  - **/*.{ts,tsx}', ['src/**/*.ts', '**/*.{ts,tsx}']],
    ['paths: "src/**"', ['src/**']],
    ['paths: **/*.ts', ['**/*.ts']],
    ['paths: src/**,lib/{a,b}/**', ['src/**', 'lib/{a,b}/**']],
    ['paths: ["src/**/*.ts", lib/**]', ['src/**/*.ts', 'lib/**']],
    ['paths: [**/*.ts]', ['**/*.ts']],
    ['description: Use when: x\npaths: {a,b}.ts', ['{a,b}.ts']],
    ['paths: !src/**', ['!src/**']],
    ['paths: []', []],
  ])('reads %j', async (yaml, globs) => {
    for (const end of ['\n', '\r\n']) {
      const source = `---\n${yaml}\n---\nBODY\n`.replaceAll('\n', end);
      expect(await renderInstructions(source)).toMatchObject({ text: 'BODY', scope: { type: 'paths', globs } });
    }
  });

  it.each(['---\n---\nBODY', '---\ndescription: words\n---\nBODY', '---\nalwaysApply: true\n---\nBODY'])(
    'without a scope is taken off: %j',
    async (source) => {
      expect(await renderInstructions(source)).toMatchObject({ text: 'BODY', scope: { type: 'always' } });
    },
  );

  it.each(['---\nglobs: 3\n---\nB', '---\npaths:\n---\nB', '---\npaths: [a\n---\nB', '---\npaths: 3\n---\nB'])(
    'that can’t be followed never makes a rule unconditional: %j',
    async (source) => {
      expect((await renderInstructions(source)).scope.type).toBe('broken');
    },
  );

  it('may stand below a comment; two rules around prose are none', async () => {
    expect(await renderInstructions('<!-- generated -->\n---\npaths: "*.rb"\n---\nRB')).toMatchObject({
      text: 'RB',
      scope: { type: 'paths' },
    });
    expect(await text('---\nA quote, and more.\n---\nafter')).toBe('---\nA quote, and more.\n---\nafter');
  });
});

it('renders what it rendered to itself, unless that begins like front matter', async () => {
  const parts = fc.constantFrom('<!--', '-->', '`', '```', '\n', '\n\n', '    ', '- ', '> ', 'word', '@a.md', '<div>', '\\', '~~~');
  await fc.assert(
    fc.asyncProperty(
      fc.array(parts, { maxLength: 14 }).map((all) => all.join('')),
      async (source) => {
        const { text: once, prose } = await renderInstructions(source);
        expect(once).toBe(once.trim());
        if (prose !== '') expect(prose.length).toBe(splitFrontMatter(source).body.length);
      },
    ),
  );
});
