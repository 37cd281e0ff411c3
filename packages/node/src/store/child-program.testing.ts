/** Makes one JavaScript file of a program, since a child process reads no TypeScript. */
import { basename, join } from 'node:path';
import { build } from 'tsdown';

/** Path of the file, in `outDir`. `bundle`: which packages go into it; what does not has to be found from there. */
export async function buildChild(
  source: string,
  { outDir, bundle }: { readonly outDir: string; readonly bundle: RegExp },
): Promise<string> {
  const name = basename(source, '.ts');
  await build({
    entry: { [name]: source },
    outDir,
    config: false,
    dts: false,
    clean: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    deps: { alwaysBundle: [bundle] },
    inputOptions: { resolve: { conditionNames: ['@sidenote/source', 'node', 'import', 'default'] } },
  });
  return join(outDir, `${name}.mjs`);
}
