/** Where a person's own things lie. Asked before anything else is loaded, so it needs nothing else. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** `SIDENOTE_CONFIG_DIR`, else `~/.sidenote`: settings, state and sessions of the person. */
export function defaultConfigDir(env: Readonly<Record<string, string | undefined>> = process.env, home: string = homedir()): string {
  const named = env['SIDENOTE_CONFIG_DIR'];
  return named ? resolve(named) : join(home, '.sidenote');
}
