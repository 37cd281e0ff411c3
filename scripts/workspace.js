/** What the scripts know of this repository: its root, its packages and which of them depends on which. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Manifest The fields of a package.json that the scripts read.
 * @property {string} name
 * @property {string} version
 * @property {Record<string, string>} [bin]
 * @property {Record<string, string | Record<string, string>>} [exports]
 * @property {Record<string, string>} [dependencies]
 */
/**
 * @typedef {object} Package
 * @property {string} name Name on the registry.
 * @property {string} folder Absolute.
 * @property {Manifest} manifest
 * @property {'library' | 'program'} type A program is shipped as one bundle, a library with its types.
 */

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');

/** The condition under which packages resolve to their sources; see `exports` in each package.json. */
export const sourceCondition = '@sidenote/source';

/**
 * All packages, each after those it depends on.
 * @param {string} [from] Root of the repository.
 * @returns {Package[]}
 */
export function packages(from = root) {
  const found = readdirSync(join(from, 'packages'))
    .map((entry) => join(from, 'packages', entry))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => {
      /** @type {Manifest} */
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return { name: manifest.name, folder, manifest, type: /** @type {Package['type']} */ (manifest.bin ? 'program' : 'library') };
    });
  /** @type {Package[]} */
  const ordered = [];
  /** @param {Package} item */
  const add = (item) => {
    for (const needed of found) if (item.manifest.dependencies?.[needed.name] !== undefined) add(needed);
    if (!ordered.includes(item)) ordered.push(item);
  };
  found.forEach(add);
  return ordered;
}

/**
 * A package and everything of the workspace below it.
 * @param {Package} item
 * @param {readonly Package[]} all
 * @returns {Package[]}
 */
export function withDependencies(item, all) {
  const below = all.filter((other) => item.manifest.dependencies?.[other.name] !== undefined);
  return [...new Set([...below.flatMap((other) => withDependencies(other, all)), item])];
}

/**
 * The exported paths of a library that are built from source.
 * @param {Package} item
 * @returns {{ path: string, source: string, output: string }[]} As in package.json: `.`, `./src/index.ts`, `./dist/index.js`.
 */
export function entries(item) {
  return Object.entries(item.manifest.exports ?? {}).flatMap(([path, target]) => {
    if (typeof target === 'string') return [];
    const { [sourceCondition]: source, default: output } = target;
    return source && output ? [{ path, source, output }] : [];
  });
}
