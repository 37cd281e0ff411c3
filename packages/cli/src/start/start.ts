/** Starts the program with the compiled code of former runs, and keeps that of this one. */
import { homedir } from 'node:os';
import { defaultConfigDir } from '@sidenote/node';
import { codeCache } from './code-cache.js';
import { loadProgram } from './load-program.js';

/** Milliseconds after which what was compiled is kept, if it has not ended: of what rests for long the engine lets go. */
const SETTLED = 5_000;

export async function start(folder: string, args: readonly string[]): Promise<void> {
  const configDir = ownFolder();
  const cache = configDir === undefined ? undefined : codeCache({ configDir });
  const { exports, keep } = loadProgram({ folder, entry: 'program.js', cache });
  process.once('exit', keep);
  setTimeout(keep, SETTLED).unref();
  if (isProgram(exports)) await exports.runProcess(args);
}

/** Undefined for a user without a home: the program will say so. */
function ownFolder(): string | undefined {
  try {
    return defaultConfigDir(process.env, process.env['HOME'] || homedir());
  } catch {
    return undefined;
  }
}

type Program = typeof import('../process.js');

function isProgram(value: unknown): value is Program {
  return typeof value === 'object' && value !== null && 'runProcess' in value && typeof value.runProcess === 'function';
}
