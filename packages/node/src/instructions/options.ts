/** What the search for instruction files is told about its surroundings. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { envFlag } from '../settings/env-flags.js';

export type InstructionOptions = {
  readonly cwd: string;
  /** Default: the account's home. */
  readonly home?: string;
  /** Default: the process's. `CLAUDE_CONFIG_DIR`, `SIDENOTE_CONFIG_DIR` and the off switch are read from it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Globs against absolute paths (setting `claudeMdExcludes`). Asked at each reading. */
  readonly excludes?: () => readonly string[];
  /** The stored answer to imports from outside the project by project files. Default `unasked`: they stay out. */
  readonly externalImports?: () => 'approved' | 'declined' | 'unasked' | Promise<'approved' | 'declined' | 'unasked'>;
};

export type Surroundings = {
  readonly home: string;
  /** `~/.claude`, or where `CLAUDE_CONFIG_DIR` says. */
  readonly userFolder: string;
  /** `~/.sidenote`, or where `SIDENOTE_CONFIG_DIR` says. */
  readonly ownFolder: string;
  readonly off: boolean;
};

export function surroundingsOf(options: InstructionOptions): Surroundings {
  const env = options.env ?? process.env;
  const home = options.home ?? env['HOME'] ?? homedir();
  return {
    home,
    userFolder: env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'),
    ownFolder: env['SIDENOTE_CONFIG_DIR'] || join(home, '.sidenote'),
    off: envFlag(env, 'CLAUDE_CODE_DISABLE_CLAUDE_MDS'),
  };
}
