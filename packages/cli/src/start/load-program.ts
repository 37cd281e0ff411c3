/** Loads the program's own files, as `require` would, from compiled code where there is some. */
import { isAscii } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';
import type { CodeCache } from './code-cache.js';

export type LoadOptions = {
  /** Absolute: all files of the program lie in it. */
  readonly folder: string;
  /** The file to begin with. */
  readonly entry: string;
  /** Undefined: everything is compiled, and nothing kept. */
  readonly cache: CodeCache | undefined;
};

export type LoadedProgram = {
  /** What the first file exports. */
  readonly exports: unknown;
  /** Keeps what had to be compiled, with every function that was used so far. */
  keep(): void;
};

type Compile = (exports: object, require: (id: string) => unknown, module: { exports: object }, filename: string, folder: string) => void;
type Compiled = { readonly name: string; readonly source: Buffer; readonly script: Script };

export function loadProgram({ folder, entry, cache }: LoadOptions): LoadedProgram {
  const outside = createRequire(join(folder, entry));
  const modules = new Map<string, { exports: object }>();
  let compiled: Compiled[] = [];

  const load = (name: string): object => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const filename = join(folder, name);
    const source = readFileSync(filename);
    const cachedData = cache?.read(name, source);
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) { 'use strict'; ${source.toString(isAscii(source) ? 'latin1' : 'utf8')}\n})`,
      {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
        ...(cachedData === undefined ? {} : { cachedData }),
      },
    );
    if (cachedData === undefined || script.cachedDataRejected === true) compiled.push({ name, source, script });
    const run: Compile = script.runInThisContext();
    const module = { exports: {} };
    modules.set(name, module);
    run(module.exports, require, module, filename, folder);
    return module.exports;
  };
  const require = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : outside(id));
  return {
    exports: load(entry),
    keep() {
      if (compiled.length === 0 || cache?.isOpen() !== true) return;
      for (const { name, source, script } of compiled) cache.write(name, source, script.createCachedData());
      cache.prune((name) => existsSync(join(folder, name)));
      compiled = [];
    },
  };
}
