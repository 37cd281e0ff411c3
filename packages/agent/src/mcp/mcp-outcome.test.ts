import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpContent } from '@sidenote/node';
import { expect, test } from 'vitest';
import { textOf } from '../tools/tools.testing.js';
import { mcpOutcome } from './mcp-outcome.js';

const place = async (env: Readonly<Record<string, string>> = {}) => ({ env, outputDir: await mkdtemp(join(tmpdir(), 'sidenote-mcp-')) });
const text = (words: string): McpContent => ({ type: 'text', text: words });
const done = (content: readonly McpContent[], isError = false) => ({ type: 'done' as const, content, isError });

test('nothing is said as such, an error is one, and a failure says why', async () => {
  const here = await place();
  expect(await mcpOutcome(done([]), here)).toEqual({ content: [{ type: 'text', text: '(the tool gave nothing back)' }] });
  expect(await mcpOutcome(done([text('no')], true), here)).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true });
  expect(await mcpOutcome({ type: 'failed', why: 'it is away' }, here)).toMatchObject({ isError: true });
  expect(await readdir(here.outputDir)).toEqual([]);
});

test('a long text is kept whole in a file; its head, tail and path are shown', async () => {
  const here = await place();
  const long = Array.from({ length: 20_000 }, (_, n) => `row ${n} of a table with words`).join('\n');
  const outcome = await mcpOutcome(done([text(long), { type: 'image', source: { type: 'base64' } }]), here);
  const shown = textOf(outcome);
  const [file = ''] = await readdir(here.outputDir);
  expect(shown.length).toBeLessThan(13_000);
  expect(shown).toContain(join(here.outputDir, file));
  expect(shown.startsWith('row 0 of')).toBe(true);
  expect(shown).toContain('row 19999 of');
  expect(outcome.content.at(-1)?.type).toBe('image');
  expect(await readFile(join(here.outputDir, file), 'utf8')).toBe(long);
});

test('the limit is that of the environment, or what the tool asks for', async () => {
  const words = 'word '.repeat(2_000);
  expect(textOf(await mcpOutcome(done([text(words)]), await place()))).toBe(words);
  expect(textOf(await mcpOutcome(done([text(words.repeat(3))]), await place({ MAX_MCP_OUTPUT_TOKENS: '100' })))).toContain('all of it in');
  expect(textOf(await mcpOutcome(done([text(words.repeat(30))]), await place(), 500_000))).toBe(words.repeat(30));
});

test('what can not be shown goes to a file of its kind', async () => {
  const here = await place();
  const outcome = await mcpOutcome(done([{ type: 'binary', mediaType: 'audio/wav;x="/../', bytes: new Uint8Array([1, 2, 3]) }]), here);
  const [file = ''] = await readdir(here.outputDir);
  expect(file).toMatch(/^mcp-[0-9a-f-]+\.\w+$/);
  expect(textOf(outcome)).toContain(`3 bytes, kept in ${join(here.outputDir, file)}]`);
});
