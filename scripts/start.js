/** `npm start`: builds what changed, then runs the command with this terminal and these arguments. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, reported } from './build.js';
import { root } from './workspace.js';

if (!reported(await build({ begins: () => console.error('building what changed, a few seconds …') }))) process.exit(1);
const program = join(root, 'packages', 'cli', 'dist', 'main.js');
const child = spawn(process.execPath, [program, ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
// A terminal sends Ctrl+C to the whole group already: the command decides, and its end is ours.
process.on('SIGINT', () => {});
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
});
