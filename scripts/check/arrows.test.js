import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkArrows } from './arrows.js';

/** @type {string[]} */
const trees = [];
afterEach(() => Promise.all(trees.splice(0).map((tree) => rm(tree, { recursive: true }))));

const kind = (/** @type {string} */ imports, /** @type {string} */ rest) =>
  `import { defineAttachment } from '../contract.js'; ${imports} export const own = defineAttachment({}); ${rest}`;

/** A workspace of three packages with one clean import each, and what is planted in it. @param {Record<string, string>} planted */
async function workspace(planted = {}) {
  const tree = await mkdtemp(join(tmpdir(), 'arrows-'));
  trees.push(tree);
  const manifest = (/** @type {string} */ name) =>
    JSON.stringify({
      name: `@sidenote/${name}`,
      version: '1.0.0',
      type: 'module',
      exports: { '.': { '@sidenote/source': './src/index.ts' } },
    });
  const files = {
    'package.json': JSON.stringify({ name: 'tree', private: true, type: 'module', workspaces: ['packages/*'] }),
    'packages/engine/package.json': manifest('engine'),
    'packages/engine/src/index.ts': "export * from './transcript/records.js';",
    'packages/engine/src/content/content.ts': 'export type Id = string;',
    'packages/engine/src/transcript/records.ts': "import type { Id } from '../content/content.js'; export type Line = { id: Id };",
    'packages/engine/src/attachments/contract.ts': 'export const defineAttachment = (kind: object) => kind;',
    'packages/engine/src/attachments/kinds/room.ts': 'export const cut = 1;',
    'packages/engine/src/attachments/kinds/files.ts': kind('', 'export const seenFold = 1; export const render = 2;'),
    'packages/engine/src/attachments/kinds/rules.ts': kind(
      "import { seenFold } from './files.js'; import { cut } from './room.js';",
      'export { seenFold, cut };',
    ),
    'packages/node/package.json': manifest('node'),
    'packages/node/src/index.ts':
      "import { readFileSync } from 'node:fs'; export type { Line } from '@sidenote/engine'; export const read = readFileSync;",
    'packages/agent/package.json': manifest('agent'),
    'packages/agent/src/index.ts': "export { read } from '@sidenote/node';",
    ...planted,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
  await mkdir(join(tree, 'node_modules', '@sidenote'), { recursive: true });
  for (const name of ['engine', 'node', 'agent']) {
    await symlink(join(tree, 'packages', name), join(tree, 'node_modules', '@sidenote', name));
  }
  return tree;
}

test('a clean tree passes, and says how much was looked at', async () => {
  expect(await checkArrows(await workspace())).toEqual({ ok: true, summary: '9 modules cruised', details: [] });
});

test('every arrow that points the wrong way is found', async () => {
  const tree = await workspace({
    'packages/engine/src/content/content.ts': "export type Id = string; export type { Line } from '../transcript/records.js';",
    'packages/engine/src/transcript/clock.ts': "import { hrtime } from 'node:process'; export const now = hrtime;",
    'packages/engine/src/request/plan.ts': "import type { Line } from '../session/session.js'; export type Plan = Line;",
    'packages/engine/src/session/session.ts': "export type { Line } from '../transcript/records.js';",
    'packages/engine/src/attachments/kinds/skills.ts': kind(
      "import { render, type T, seenFold } from './files.js';",
      'export { render, seenFold };',
    ),
    'packages/node/src/loop.ts': "export { read } from '@sidenote/agent';",
    'packages/node/src/shortcut.ts': "export type { Line } from '../../engine/src/transcript/records.js';",
    'packages/agent/src/lost.ts': "export { gone } from './gone.js';",
  });
  const { ok, details } = await checkArrows(tree);
  expect(ok).toBe(false);
  expect([...(details ?? [])].toSorted()).toEqual([
    'across-packages-by-name: packages/node/src/shortcut.ts -> packages/engine/src/transcript/records.ts',
    'engine-content: packages/engine/src/content/content.ts -> packages/engine/src/transcript/records.ts',
    'engine-is-pure: packages/engine/src/transcript/clock.ts -> process',
    'engine-request: packages/engine/src/request/plan.ts -> packages/engine/src/session/session.ts',
    'everything-resolves: packages/agent/src/lost.ts -> ./gone.js',
    'kinds-share-folds-only: packages/engine/src/attachments/kinds/skills.ts takes render from ./files.js',
    'no-cycles: packages/engine/src/content/content.ts -> packages/engine/src/transcript/records.ts',
    'package-node: packages/node/src/loop.ts -> packages/agent/src/index.ts',
  ]);
});

test('a package of which nothing was cruised is a failure, not a silent pass', async () => {
  const tree = await workspace({ 'packages/cli/package.json': JSON.stringify({ name: '@sidenote/cli', version: '1.0.0' }) });
  expect(await checkArrows(tree)).toMatchObject({ ok: false, details: ['@sidenote/cli: not one module was cruised'] });
});
