/** What a user of the built packages will meet: entries that exist, types that resolve, nothing missing from the tarball. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packages } from '../workspace.js';
import { command } from '../verdict.js';

/** @import { Package } from '../workspace.js' */
/** @import { Verdict } from '../verdict.js' */

/** @returns {Promise<Verdict>} */
export async function checkPublished() {
  const all = packages();
  const folder = await mkdtemp(join(tmpdir(), 'sidenote-published-'));
  try {
    const details = (await Promise.all(all.map((item) => complaints(item, folder)))).flat();
    return { ok: details.length === 0, summary: `${all.length} packages packed`, details };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {Package} item @param {string} destination */
async function complaints(item, destination) {
  const tarball = await pack(item, destination);
  const missing = Object.values(item.manifest.bin ?? {}).filter((file) => !existsSync(join(item.folder, file)));
  return [
    ...missing.map((file) => `${item.name}: its command ${file} was not built`),
    ...(await lint(item, tarball)),
    ...(item.type === 'library' ? await types(item, tarball) : []),
  ];
}

/** @param {Package} item @param {string} destination @returns {Promise<string>} Path of the tarball. */
async function pack({ folder }, destination) {
  const args = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', destination];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder });
  const [{ filename }] = JSON.parse(stdout);
  return join(destination, filename);
}

/** @param {Package} item @param {string} tarball */
async function lint({ name, manifest }, tarball) {
  const bytes = await readFile(tarball);
  const { messages } = await publint({ strict: true, pack: { tarball: new Uint8Array(bytes).buffer } });
  return messages
    .filter(({ type }) => type !== 'suggestion')
    .map((message) => `${name}: ${formatMessage(message, manifest, { color: false })}`);
}

/** @param {Package} item @param {string} tarball */
async function types({ name }, tarball) {
  const options = '--profile esm-only --no-definitely-typed --format ascii --no-color --no-emoji'.split(' ');
  const verdict = await command('node_modules/@arethetypeswrong/cli/dist/index.js', [tarball, ...options]);
  return verdict.ok ? [] : (verdict.details ?? []).map((line) => `${name}: ${line}`);
}
