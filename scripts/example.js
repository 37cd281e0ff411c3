/** `npm run example <name> [arguments]`: runs a file of `examples/` from the sources, where you are, with this terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsdown';
import { root, sourceCondition } from './workspace.js';

const [name = '', ...args] = process.argv.slice(2);
const entry = join(root, 'examples', `${name}.ts`);
if (!existsSync(entry)) {
  const missing = name === '' ? '' : `there is no examples/${name}.ts\n`;
  console.error(`${missing}usage: npm run example <name> [arguments], as in: npm run example embedding`);
  process.exit(2);
}
const isSet = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_PROFILE'].some((variable) => process.env[variable]);
if (!isSet && (await readFile(entry, 'utf8')).includes("from '@anthropic-ai/sdk'")) {
  console.error(`examples/${name}.ts asks a model: set ANTHROPIC_API_KEY`);
  process.exit(2);
}

const outDir = await mkdtemp(join(tmpdir(), 'sidenote-example-'));
try {
  await build({
    cwd: root,
    config: false,
    entry: { example: entry },
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    dts: false,
    clean: false,
    report: false,
    logLevel: 'error',
    deps: { alwaysBundle: [/^(?!node:)/], onlyBundle: false },
    inputOptions: (options) => ({
      ...options,
      resolve: {
        ...options.resolve,
        conditionNames: [sourceCondition, 'node', 'import', 'module', 'default'],
        mainFields: ['module', 'main'],
      },
    }),
  });
  const where = process.env.INIT_CWD ?? process.cwd();
  const child = spawn(process.execPath, [join(outDir, 'example.mjs'), ...args], { stdio: 'inherit', cwd: where });
  process.on('SIGINT', () => {});
  const [code] = await once(child, 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
} finally {
  await rm(outDir, { recursive: true, force: true });
}
