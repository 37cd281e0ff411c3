import { expect, test } from 'vitest';
import type { Content } from '../../content/content.js';
import type { Ports, ResourceReading } from '../ports.js';
import { ask, moment, text } from './kind.testing.js';
import { mcpResources } from './mcp-resources.js';

const resources: Readonly<Record<string, ResourceReading>> = {
  'docs:note://1': { type: 'resource', content: [text('one\ntwo')] },
  'docs:img://1': { type: 'resource', content: [{ type: 'image', source: { type: 'base64' } } as Content] },
};
const asked: string[] = [];
const port: NonNullable<Ports['mcpResources']> = {
  find: (words) => [...words.matchAll(/@(\w+):(\S+)/g)].map(([raw, server = '', uri = '']) => ({ raw, server, uri })),
  async read({ server, uri }) {
    asked.push(uri);
    return resources[`${server}:${uri}`] ?? { type: 'unusable', why: `there is no server ${server}` };
  },
};
const told = (words: string, options: { readonly origin?: 'task'; readonly tokens?: number } = {}) =>
  ask(mcpResources, {
    ports: { mcpResources: port },
    moment: moment({ prompts: [{ content: [text(words)], ...(options.origin === undefined ? {} : { origin: options.origin }) }] }),
    ...(options.tokens === undefined ? {} : { tokens: options.tokens }),
  });

test('text, pictures, and one line for what is not there; each mention is read once', async () => {
  const { text: said, record } = await told('see @docs:note://1 and @docs:img://1, @docs:note://1 and @other:x://y');
  expect(said).toMatchInlineSnapshot(`
    "The resource docs:note://1, which the user mentioned:

    one
    two

    The resource docs:img://1,, which the user mentioned, is not shown: there is no server docs.

    The resource other:x://y, which the user mentioned, is not shown: there is no server other."
  `);
  expect(record?.title).toContain('docs:note://1');
  expect(asked.filter((uri) => uri === 'note://1')).toHaveLength(1);
  expect((await told('@docs:img://1')).text).toContain('[image]');
});

test('a long text is cut by whole lines, with how to get the rest', async () => {
  const { text: said, cut } = await told('@docs:note://1', { tokens: 1 });
  expect(said).toContain('2 more lines left out');
  expect(cut).toBe('2 lines of docs:note://1');
});

test('only the words of a person fetch anything', async () => {
  expect((await told('@docs:note://1', { origin: 'task' })).type).toBe('nothing');
});
