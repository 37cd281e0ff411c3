/** Where a session's large outputs go. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id } from '@sidenote/engine';
import { projectFolder } from '@sidenote/node';
import { switched } from '../flags/parse.js';
import type { Setup } from './set-up.js';

export type OutputFolder = {
  readonly path: string;
  /** Beside a session's file that stays. */
  readonly isKept: boolean;
  /** Removes what does not stay. */
  remove(): Promise<void>;
};

/** Beside the session's file; in a temporary folder when nothing is kept. */
export async function outputFolder({ io, flags, configDir }: Pick<Setup, 'io' | 'flags' | 'configDir'>, id: Id): Promise<OutputFolder> {
  if (flags.command === 'chat' && !switched(flags, 'no-session-persistence')) {
    return { path: join(projectFolder({ cwd: io.cwd, configDir }), id), isKept: true, remove: async () => {} };
  }
  const path = await mkdtemp(join(tmpdir(), 'sidenote-'));
  return { path, isKept: false, remove: () => rm(path, { recursive: true, force: true }) };
}
