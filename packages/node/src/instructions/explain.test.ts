import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderInstructions } from './index.js';
import { makeSite, type Site } from './instructions.testing.js';

let site: Site;
beforeEach(async () => {
  site = await makeSite();
});
afterEach(() => site.remove());

describe('the explanation', () => {
  it('names what waits, below and for paths, with its imports, and what is wrong with it', async () => {
    await site.put({
      'project/CLAUDE.md': 'TOP',
      'project/.claude/rules/ts.md': '---\npaths: "*.ts"\n---\nTS\n@more.md\n@gone.md',
      'project/.claude/rules/more.md': 'MORE',
      'project/a/b/AGENTS.md': 'AB @x.md',
      'project/a/b/x.md': 'X',
      'project/c/.claude/rules/r.md': '---\npaths:\n---\nBLANK',
      'project/node_modules/x/CLAUDE.md': 'FOREIGN',
    });
    const files = await site.explain();
    expect(files.map(({ path, status, text }) => [path.slice(site.project.length + 1), status, text !== ''])).toEqual([
      ['CLAUDE.md', 'loaded', true],
      ['.claude/rules/more.md', 'loaded', true],
      ['.claude/rules/ts.md', 'scoped', true],
      ['.claude/rules/gone.md', 'missing', false],
      ['c/.claude/rules/r.md', 'broken', false],
      ['a/b/AGENTS.md', 'nested', true],
      ['a/b/x.md', 'nested', true],
    ]);
    expect(files[3]).toMatchObject({
      from: { file: join(site.project, '.claude/rules/ts.md'), line: 6 },
      warning: `${site.project}/.claude/rules/gone.md is not told to the model: there is no such file; imported by ${site.project}/.claude/rules/ts.md, line 6; correct the path, or write it in backticks if no file is meant`,
    });
    expect(files[6]?.from).toEqual({ file: join(site.project, 'a/b/AGENTS.md'), line: 1 });
  });

  it('of a tree with too many folders says that it did not look everywhere', async () => {
    const folders = Array.from({ length: 2600 }, (_, n) => `project/d${n}/f.txt`);
    await site.put(Object.fromEntries([...folders.map((path) => [path, '']), ['project/d1/CLAUDE.md', 'NEAR']]));
    const files = await site.explain();
    expect(files.map(({ status }) => status)).toEqual(['nested', 'unknown']);
  });
});

describe('sizes', () => {
  it('over a share of the window are said, and the file is told whole', async () => {
    await site.put({ 'project/CLAUDE.md': 'x'.repeat(50_000) });
    const [file] = await site.read();
    expect([file?.status, file?.text.length]).toEqual(['loaded', 50_000]);
    expect(file?.warning).toBe(`${site.project}/CLAUDE.md: 50000 characters, over 40000: split it, or scope parts of it by \`paths\``);
    expect((await site.read({ window: () => 1_000_000 }))[0]?.warning).toBeUndefined();
  });

  it('of one line that is over the budget are told as far as there is room', async () => {
    await site.put({ 'project/AGENTS.md': 'x'.repeat(500) });
    expect(await site.read({ budget: 10 })).toMatchObject([{ status: 'cut', text: 'x'.repeat(30) }]);
  });

  it('over the budget are cut from the farthest, between characters, and said in the text', async () => {
    await site.put({
      'org/CLAUDE.md': 'O'.repeat(30),
      'home/.claude/CLAUDE.md': 'U'.repeat(30),
      'project/AGENTS.md': `one\n${'😀'.repeat(20)}\n${'z'.repeat(40)}`,
      'project/CLAUDE.local.md': 'L'.repeat(30),
    });
    const files = await site.read({ budget: 35 });
    expect(files.map(({ status, text }) => [status, text])).toEqual([
      ['loaded', 'O'.repeat(30)],
      ['cut', ''],
      ['cut', 'one\n' + '😀'.repeat(20)],
      ['loaded', 'L'.repeat(30)],
    ]);
    expect(files[2]).toMatchObject({
      reason: 'the first 44 of 85 characters; the setting instructions.budget gives all files 35 tokens',
      warning: expect.stringContaining('is told in part'),
      // What is told of it is watched: the rest by the fact of a change alone.
      whole: expect.stringMatching(/^one\n[^]*z{40}$/),
      view: { lines: [[1, 2]] },
    });
  });
});

it('a file that imports 200 others is read in three times the time of parsing all of them', async () => {
  const rule = (n: number) => `- rule ${n}: some more words that say \`what\` to do, and *when* to do it\n`;
  const big = Array.from({ length: 200 }, (_, n) => `## Part ${n}\n\nSee @part-${n}.md for this.\n\n${rule(n).repeat(2)}`).join('\n');
  const part = Array.from({ length: 14 }, (_, n) => rule(n)).join('');
  const parts = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`project/part-${n}.md`, `# ${n}\n\n${part}`.slice(0, 1000)]));
  await site.put({ 'project/CLAUDE.md': big, ...parts });
  const all = [big, ...Object.values(parts)].join('\n\n');
  expect((await site.read()).length).toBe(201);
  const best = { parse: Infinity, read: Infinity };
  const time = async (what: keyof typeof best, run: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await run();
    best[what] = Math.min(best[what], performance.now() - started);
  };
  // The best of as many rounds as a busy machine needs.
  for (let round = 0; round < 200 && (round < 5 || best.read > 3 * best.parse); round += 1) {
    await time('parse', () => renderInstructions(all));
    await time('read', () => site.read());
  }
  expect(best.read).toBeLessThanOrEqual(3 * best.parse);
}, 60_000);
