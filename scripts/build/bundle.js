/** How a package becomes JavaScript: libraries one file per exported path, programs one bundle with lazy chunks. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { entries, root, sourceCondition } from '../workspace.js';

/** @import { Package } from '../workspace.js' */
/** @import { InlineConfig } from 'tsdown' */

/** @param {Package} item @param {string} outDir */
export async function bundle(item, outDir) {
  // The bundler takes a while to load, and is not needed when all is fresh.
  const { build } = await import('tsdown');
  await build({ ...(item.type === 'program' ? program(item) : library(item)), outDir });
  // The folder is CommonJS, whatever the package around it is.
  if (item.type === 'program') writeFileSync(join(outDir, 'package.json'), '{ "type": "commonjs" }\n');
}

/**
 * Text of one byte a character is read many times faster, and takes half the room. All that is not, in a program without
 * comments, stands in strings, templates and regular expressions, where an escape means the same.
 */
const inAscii = {
  name: 'in-ascii',
  /** @param {unknown} _ @param {Record<string, { type: string, code?: string }>} output */
  generateBundle(_, output) {
    for (const chunk of Object.values(output)) {
      if (chunk.type !== 'chunk' || chunk.code === undefined) continue;
      const unsafe = /(?:^|[^\\])(?:\\\\)*\\[^\0-\x7f]|\braw`[^`]*[^\0-\x7f`]/.exec(chunk.code);
      if (unsafe !== null) throw new Error(`an escape would change what this means: ${unsafe[0]}`);
      chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    }
  },
};

/** Where a module lies below the packages. @param {string} id */
const placeOf = (id) => relative(join(root, 'packages'), id).replaceAll('\\', '/');

/**
 * A program's own modules in few files, since each costs the start a little: what answers at once, what loads the rest, what is
 * needed to set git to work, and all else that more than one lazy part uses. What only one of them uses stays with it, and so do
 * dependencies: they are large, and most sessions need few of them. The terminal's screens and the reading of shell commands are
 * not in the last, since they would bring theirs.
 */
const groups = [
  { name: 'version', test: /^cli\/(package\.json|src\/version)/ },
  { name: 'loader', test: /^(cli\/src\/start\/|node\/src\/store\/config-dir)/ },
  {
    name: 'early',
    test: /^(cli\/src\/(usage-error|io|flags\/|terminal\/clean|assemble\/early-git)|node\/src\/(git\/(?!worktree|ignored|index)|clock\/(?!index)|files\/(lines|stat|failure|digest)|settings\/nearest))/,
  },
  { name: 'core', test: /^(engine|node|agent|cli)\/src\/(?!terminal\/|demo\/|permissions\/shell\/)/, minShareCount: 2 },
].map((group, index) => ({ ...group, test: (/** @type {string} */ id) => group.test.test(placeOf(id)), priority: 10 - index }));

/** @param {Package} item @param {{ readonly preserveEntrySignatures?: 'allow-extension' }} [more] What only a program needs. @returns {InlineConfig} */
function shared(item, more = {}) {
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
    dts: false,
    logLevel: 'warn',
    inputOptions: (options) => ({
      ...options,
      ...more,
      checks: { ...options.checks, pluginTimings: false },
      // With it, rolldown loses a constant that one chunk exports and another one inlined.
      optimization: { ...options.optimization, inlineConst: false },
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
  const entry = Object.fromEntries(entries(item).map(({ source, output }) => [output.replace(/^\.\/dist\/|\.js$/g, ''), source]));
  return { ...shared(item), entry };
}

/**
 * Everything inlined and made small: a bundle starts in half the time, and less text is read sooner. CommonJS, since Node
 * keeps compiled code of nothing else; `main` loads `program` with it. koffi is native, optional and only for Windows consoles.
 * @param {Package} item @returns {InlineConfig}
 */
function program(item) {
  return {
    ...shared(item, { preserveEntrySignatures: 'allow-extension' }),
    format: 'cjs',
    // It warns of the format.
    logLevel: 'error',
    entry: { main: './src/main.ts', program: './src/process.ts' },
    outExtensions: () => ({ js: '.js' }),
    minify: true,
    plugins: [inAscii],
    outputOptions: { codeSplitting: { includeDependenciesRecursively: false, groups } },
    deps: { alwaysBundle: [/^(?!node:|koffi$)/], neverBundle: ['koffi'], onlyBundle: false },
  };
}
