import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeCache } from './code-cache.js';
import { loadProgram } from './load-program.js';

let root = '';
let configDir = '';
let program = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'start-'));
  configDir = join(root, 'config');
  program = join(root, 'program');
  await mkdir(configDir, { mode: 0o755 });
  await mkdir(program);
  await writeFile(
    join(program, 'main.js'),
    `const { two } = require('./two.js'); exports.path = require('node:path').sep; exports.sum = () => two() + 1;`,
  );
  await writeFile(
    join(program, 'two.js'),
    `exports.where = [__filename, __dirname]; exports.two = () => 2; exports.strict = (function () { return this === undefined; })();`,
  );
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** What the program says, and which of its files had to be compiled. */
function run(uid?: number): { readonly sum: unknown; readonly compiled: readonly string[] } {
  const compiled: string[] = [];
  const cache = codeCache({ configDir, ...(uid === undefined ? {} : { uid }) });
  const { exports, keep } = loadProgram({
    folder: program,
    entry: 'main.js',
    cache: {
      read(name, source) {
        const code = cache.read(name, source);
        if (code === undefined) compiled.push(name);
        return code;
      },
      isOpen: () => cache.isOpen(),
      write: (name, source, code) => cache.write(name, source, code),
      prune: (isCurrent) => cache.prune(isCurrent),
    },
  });
  const sum =
    typeof exports === 'object' && exports !== null && 'sum' in exports && typeof exports.sum === 'function' ? exports.sum() : undefined;
  keep();
  return { sum, compiled };
}
const whole = { sum: 3, compiled: ['main.js', 'two.js'] };
const cached = { sum: 3, compiled: [] };
const folder = async (): Promise<string> => join(configDir, 'cache', (await readdir(join(configDir, 'cache')))[0] ?? '');

it('loads files like require, in strict mode, each once', () => {
  const { exports } = loadProgram({ folder: program, entry: 'two.js', cache: undefined });
  expect(exports).toMatchObject({ strict: true, where: [join(program, 'two.js'), program] });
  expect(run().sum).toBe(3);
});

describe('compiled code', () => {
  it('is kept for the next run, in a folder that nobody else can read', async () => {
    expect(run()).toEqual(whole);
    expect(run()).toEqual(cached);
    expect((await stat(await folder())).mode & 0o777).toBe(0o700);
    expect((await readdir(await folder())).toSorted()).toEqual(['main.js', 'two.js']);
  });

  it('is that of the very same source', async () => {
    run();
    await writeFile(join(program, 'two.js'), `exports.two = () => 7; exports.strict = (function () { return this === undefined; })();`);
    expect(run()).toEqual({ sum: 8, compiled: ['two.js'] });
    expect(run()).toEqual({ sum: 8, compiled: [] });
  });

  it('is not believed when a byte of it is wrong, when it is cut, and when it is empty', async () => {
    run();
    const file = join(await folder(), 'two.js');
    const code = await readFile(file);
    for (let at = 0; at < code.length; at += 7) {
      const wrong = Buffer.from(code);
      wrong[at] = (wrong[at] ?? 0) ^ 0x5a;
      await writeFile(file, wrong);
      expect(run()).toEqual({ sum: 3, compiled: ['two.js'] });
    }
    for (const length of [0, 10, 32, 40, code.length - 1]) {
      await writeFile(file, code.subarray(0, length));
      expect(run()).toEqual({ sum: 3, compiled: ['two.js'] });
    }
    expect(run()).toEqual(cached);
  });

  it('is neither read nor written where others could write', async () => {
    run();
    await chmod(join(await folder(), 'two.js'), 0o666);
    expect(run().compiled).toEqual(['two.js']);
    await chmod(await folder(), 0o777);
    expect(run()).toEqual(whole);
    await chmod(await folder(), 0o700);
    expect(run()).toEqual(cached);
    expect(run((process.getuid?.() ?? 0) + 1)).toEqual(whole);
  });

  it('goes with its file, when something else is kept', async () => {
    run();
    await rm(join(program, 'two.js'));
    await writeFile(join(program, 'three.js'), `exports.two = () => 2;`);
    await writeFile(join(program, 'main.js'), `exports.sum = () => require('./three.js').two() + 1;`);
    expect(run()).toEqual({ sum: 3, compiled: ['main.js', 'three.js'] });
    expect((await readdir(await folder())).toSorted()).toEqual(['main.js', 'three.js']);
  });

  it('needs the folder of the program: none is made', async () => {
    await rm(configDir, { recursive: true });
    expect(run()).toEqual(whole);
    expect(await readdir(root)).toEqual(['program']);
  });

  it('is missed quietly where it can’t be kept', async () => {
    await writeFile(join(configDir, 'cache'), '');
    expect(run()).toEqual(whole);
    expect(await readFile(join(configDir, 'cache'), 'utf8')).toBe('');
  });
});
