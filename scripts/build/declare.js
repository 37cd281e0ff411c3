/**
 * Declaration files of all libraries in one run of the fast compiler. They stay one file per source:
 * bundling them takes ten times as long, and nobody reads the difference.
 */
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { command } from '../verdict.js';
import { entries, packages, root } from '../workspace.js';

/** @import { Package } from '../workspace.js' */

/**
 * Type errors don't end a build: `npm run check` reports them.
 * @param {readonly Package[]} libraries @param {string} folder Gets the layout of `packages/`.
 */
export async function declare(libraries, folder) {
  if (libraries.length === 0) return;
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    allowJs: false,
    checkJs: false,
    rootDir: join(root, 'packages'),
    outDir: folder,
    typeRoots: [join(root, 'node_modules', '@types')],
    // What is first met by way of node_modules counts as somebody else's and is passed over, at the whim of threads.
    paths: Object.fromEntries(
      packages().flatMap((item) => entries(item).map(({ path, source }) => [`${item.name}${path.slice(1)}`, [join(item.folder, source)]])),
    ),
  };
  const files = libraries.flatMap((item) => entries(item).map(({ source }) => join(item.folder, source)));
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }));
  await command('node_modules/ts7/bin/tsc', ['-p', config]);
}

/** @param {Package} item @param {string} folder As given to `declare`. @param {string} outDir */
export function takeDeclarations(item, folder, outDir) {
  const declared = join(folder, relative(join(root, 'packages'), item.folder), 'src');
  for (const { source } of entries(item)) {
    const file = join(declared, relative('src', source).replace(/\.ts$/, '.d.ts'));
    if (!existsSync(file)) throw new Error(`no declarations of ${source} were written`);
  }
  cpSync(declared, outDir, { recursive: true });
}
