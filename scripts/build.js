/**
 * Builds what changed: libraries as ESM with types, programs as one bundle whose lazy imports stay separate chunks.
 * Everything resolves workspace packages to their sources, so no build waits for another.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { packages, root, sourceCondition, withDependencies } from './workspace.js';

/** @import { Package } from './workspace.js' */
/** @import { InlineConfig } from 'tsdown' */

const stamps = join(root, 'node_modules', '.cache', 'sidenote-build');

/**
 * @typedef {object} Built
 * @property {string[]} built Names; empty when all was fresh.
 * @property {{ name: string, why: string }[]} failed
 */

/**
 * Builds every package whose sources, dependencies or build rules changed since its last build.
 * @returns {Promise<Built>}
 */
export async function build() {
  const all = packages();
  const stale = all.map((item) => ({ item, digest: inputs(item, all) })).filter(({ item, digest }) => !fresh(item, digest));
  const outcomes = await Promise.all(
    stale.map(async ({ item, digest }) => {
      try {
        await buildPackage(item);
        mkdirSync(stamps, { recursive: true });
        writeFileSync(stampOf(item), digest);
        return { name: item.name, why: null };
      } catch (error) {
        return { name: item.name, why: stripVTControlCharacters(error instanceof Error ? error.message : String(error)) };
      }
    }),
  );
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
  for (const rule of ['package-lock.json', 'tsconfig.json', 'scripts/build.js', 'scripts/workspace.js']) add(join(root, rule));
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

/** Writes into a folder beside `dist` and swaps, so that nobody ever runs half a build. @param {Package} item */
async function buildPackage(item) {
  const { build: bundle } = await import('tsdown');
  const dist = join(item.folder, 'dist');
  const outDir = `${dist}.${process.pid}`;
  try {
    await bundle({ ...(item.type === 'program' ? program(item) : library(item)), outDir });
    rmSync(dist, { recursive: true, force: true });
    renameSync(outDir, dist);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** @param {Package} item @returns {InlineConfig} */
function shared(item) {
  return {
    cwd: item.folder,
    config: false,
    tsconfig: join(root, 'tsconfig.json'),
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    fixedExtension: false,
    clean: false,
    report: false,
    logLevel: 'warn',
    inputOptions: (options) => ({
      ...options,
      checks: { ...options.checks, pluginTimings: false },
      resolve: {
        ...options.resolve,
        conditionNames: [sourceCondition, 'node', 'import', 'module', 'default'],
        // The `main` of jsonc-parser is UMD, which no bundler can follow.
        mainFields: ['module', 'main'],
      },
    }),
  };
}

/** One entry per exported path, named as package.json names it. @param {Package} item @returns {InlineConfig} */
function library(item) {
  /** @type {Record<string, string>} */
  const entry = {};
  for (const target of Object.values(item.manifest.exports ?? {})) {
    if (typeof target === 'string') continue;
    const { [sourceCondition]: source, default: output } = target;
    if (source && output) entry[output.replace(/^\.\/dist\/|\.js$/g, '')] = source;
  }
  return { ...shared(item), entry, dts: true };
}

/**
 * Everything inlined: a bundle starts in half the time. koffi is native, optional and only for Windows consoles.
 * @param {Package} item @returns {InlineConfig}
 */
function program(item) {
  return {
    ...shared(item),
    entry: { main: './src/main.ts' },
    dts: false,
    deps: { alwaysBundle: [/^(?!node:|koffi$)/], neverBundle: ['koffi'], onlyBundle: false },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const started = performance.now();
  const outcome = await build();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (outcome.built.length > 0) console.log(`build: ${outcome.built.join(', ')} in ${seconds} s`);
  else if (outcome.failed.length === 0) console.log('build: all fresh');
  if (!reported(outcome)) process.exitCode = 1;
}
