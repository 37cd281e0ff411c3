/**
 * Builds what changed: libraries as ESM with types, programs as one bundle whose lazy imports stay separate chunks.
 * Everything resolves workspace packages to their sources, so no build waits for another.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { bundle } from './build/bundle.js';
import { declare, takeDeclarations } from './build/declare.js';
import { packages, root, withDependencies } from './workspace.js';

/** @import { Package } from './workspace.js' */

const stamps = join(root, 'node_modules', '.cache', 'sidenote-build');

/**
 * @typedef {object} Built
 * @property {string[]} built Names; empty when all was fresh.
 * @property {{ name: string, why: string }[]} failed
 */

/**
 * Builds every package whose sources, dependencies or build rules changed since its last build.
 * @param {{ begins?: () => void }} [how] `begins` is called where there is something to build: it takes seconds.
 * @returns {Promise<Built>}
 */
export async function build({ begins } = {}) {
  const all = packages();
  const stale = all.map((item) => ({ item, digest: inputs(item, all) })).filter(({ item, digest }) => !fresh(item, digest));
  if (stale.length === 0) return { built: [], failed: [] };
  begins?.();
  const types = mkdtempSync(join(tmpdir(), 'sidenote-types-'));
  await declare(
    stale.map(({ item }) => item).filter(({ type }) => type === 'library'),
    types,
  );
  const outcomes = await Promise.all(
    stale.map(async ({ item, digest }) => {
      try {
        await buildPackage(item, types);
        mkdirSync(stamps, { recursive: true });
        writeFileSync(stampOf(item), digest);
        return { name: item.name, why: null };
      } catch (error) {
        return { name: item.name, why: stripVTControlCharacters(error instanceof Error ? error.message : String(error)) };
      }
    }),
  );
  rmSync(types, { recursive: true });
  return {
    built: outcomes.filter(({ why }) => why === null).map(({ name }) => name),
    failed: outcomes.flatMap(({ name, why }) => (why === null ? [] : [{ name, why }])),
  };
}

/** Says on stderr what could not be built. @param {Built} outcome @returns {boolean} Whether all was built. */
export function reported({ failed }) {
  for (const { name, why } of failed) console.error(`build of ${name} failed: ${why}`);
  return failed.length === 0;
}

/** @param {Package} item */
const stampOf = (item) => join(stamps, relative(join(root, 'packages'), item.folder));

/** @param {Package} item @param {string} digest */
function fresh(item, digest) {
  return existsSync(join(item.folder, 'dist')) && existsSync(stampOf(item)) && readFileSync(stampOf(item), 'utf8') === digest;
}

/**
 * Digest of all that a package's build is made from.
 * @param {Package} item @param {readonly Package[]} all
 */
function inputs(item, all) {
  const hash = createHash('sha256');
  /** @param {string} file */
  const add = (file) =>
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  for (const rule of ['package-lock.json', 'tsconfig.json', 'scripts/build.js', 'scripts/build/bundle.js', 'scripts/build/declare.js'])
    add(join(root, rule));
  for (const { folder } of withDependencies(item, all)) {
    add(join(folder, 'package.json'));
    for (const file of sources(join(folder, 'src'))) add(file);
  }
  return hash.digest('hex');
}

/** @param {string} folder @returns {string[]} */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/**
 * Writes into a folder beside `dist` and swaps, so that nobody ever runs half a build.
 * @param {Package} item @param {string} types
 */
async function buildPackage(item, types) {
  const dist = join(item.folder, 'dist');
  const outDir = `${dist}.${process.pid}`;
  try {
    await bundle(item, outDir);
    if (item.type === 'library') takeDeclarations(item, types, outDir);
    rmSync(dist, { recursive: true, force: true });
    renameSync(outDir, dist);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const started = performance.now();
  const outcome = await build();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (outcome.built.length > 0) console.log(`build: ${outcome.built.join(', ')} in ${seconds} s`);
  else if (outcome.failed.length === 0) console.log('build: all fresh');
  if (!reported(outcome)) process.exitCode = 1;
}
