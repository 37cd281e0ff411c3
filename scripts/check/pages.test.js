import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkLeaks } from './leaks.js';
import { checkPages } from './pages.js';

let tree = '';
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'pages-'));
  execFileSync('git', ['init', '-q'], { cwd: tree });
});
afterEach(() => rmSync(tree, { recursive: true }));

/** @param {Record<string, string>} files */
function put(files) {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(tree, path), text);
}

test('links, headings and shown files that are right pass', () => {
  put({
    'a.ts': 'export const a = 1;\n',
    'one.md': '# One\n\n[two](two.md#the-second-page) [web](https://example.org/x) `[not](a-link.md)`\n',
    'two.md': '## The second page\n\n<!-- file: a.ts -->\n```ts\nexport const a = 1;\n```\n',
  });
  expect(checkPages(tree)).toEqual({ ok: true, summary: '2 pages', details: [] });
});

test('dead links, missing headings and stale copies are named', () => {
  put({
    'a.ts': 'export const a = 2;\n',
    'one.md': '# One\n\n[gone](gone.md) [no](two.md#first)\n',
    'two.md': '# Two\n\n<!-- file: a.ts -->\n\n```ts\nexport const a = 1;\n```\n\n<!-- file: b.ts -->\n```ts\n```\n',
  });
  expect(checkPages(tree).details).toEqual([
    'one.md: dead link gone.md',
    'one.md: no heading #first in two.md',
    'two.md: its copy of a.ts differs from the file',
    'two.md: shows b.ts, which does not exist',
  ]);
});

test('secrets, machine paths and download addresses are named with their line', () => {
  // Put together here, so that this file passes the check itself.
  const home = ['', 'home', 'someone', 'project'].join('/');
  const key = ['sk', 'ant', 'a1b2c3d4e5f6a7b8c9d0'].join('-');
  put({
    'clean.ts': "const url = 'http://127.0.0.1:8080/home/someone'; const key = 'sk-ant-test';\n",
    'key.ts': `\nconst key = '${key}';\n`,
    'path.md': `see ${home}\n`,
    'package-lock.json': '{ "resolved": "https://registry.example.org/a.tgz" }\n',
  });
  expect(checkLeaks(tree).details).toEqual([
    `key.ts:2: an API key: ${key}`,
    'package-lock.json:1: a download address: "resolved": "https://registry.example.org/a.tgz"',
    `path.md:1: a home folder: ${home}`,
  ]);
});
