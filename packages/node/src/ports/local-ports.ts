/** The ports of a working directory on this machine, in one call. */
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import type { Ports } from '@sidenote/engine';
import { systemClock } from '../clock/system-clock.js';
import { fileChanges } from '../files/changes.js';
import { fileMentions } from '../files/mentions.js';
import { digestOf } from '../files/digest.js';
import { gitSnapshot } from '../git/git-snapshot.js';
import { instructionFiles } from '../instructions/instruction-files.js';
import { nestedInstructions } from '../instructions/nested.js';
import type { InstructionOptions } from '../instructions/options.js';
import { memoryIndexes, withMemoryIndexes } from '../memory/indexes.js';
import type { MemoryPlaces } from '../memory/places.js';
import { projectState } from '../settings/state-file.js';
import { defaultConfigDir } from '../store/config-dir.js';
import { deflated } from './deflated.js';
import { estimateTokens } from './estimate-tokens.js';

export type LocalPortsOptions = {
  readonly cwd: string;
  /** Default: `HOME` in `env`, else the account's. */
  readonly home?: string;
  /** Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: `SIDENOTE_CONFIG_DIR` in `env`, else `~/.sidenote`. */
  readonly configDir?: string;
  /** Default: the system's. */
  readonly clock?: Ports['clock'];
  /** Globs against absolute paths of instruction files that stay out; asked at each reading. */
  readonly excludes?: InstructionOptions['excludes'];
  /** What flags and settings say of instruction files beside that. */
  readonly instructions?: Omit<InstructionOptions, 'cwd' | 'home' | 'env' | 'excludes' | 'externalImports'>;
  /** Whether files of the project may import files from outside it. Default: the answer stored for this project. */
  readonly externalImports?: InstructionOptions['externalImports'];
  /** Memories whose indexes are told with the instructions. Default: none. */
  readonly memory?: MemoryPlaces;
  /** Why a mentioned path may not be read, or null. Default: every path may. */
  readonly deny?: (path: string) => string | null;
};

export type LocalPorts = Partial<Ports> &
  Pick<Ports, 'clock' | 'ids' | 'digest' | 'tokens'> &
  Required<Pick<Ports, 'packing' | 'git' | 'instructions' | 'nested' | 'mentions' | 'changes'>>;

/**
 * Clock, ids, digests, token estimates, packing, git, instruction files, mentions and changes of files. Nothing is read before a
 * port is asked. Leave a port out by destructuring: `const { git, ...ports } = localPorts({ cwd })`.
 */
export function localPorts(options: LocalPortsOptions): LocalPorts {
  const { cwd, env = process.env, clock = systemClock() } = options;
  const home = options.home ?? (env['HOME'] || homedir());
  const instructions = localInstructions(options);
  const files = instructionFiles(instructions);
  const { memory } = options;
  return {
    clock,
    ids: { next: () => randomUUID() },
    digest: digestOf,
    tokens: estimateTokens,
    packing: deflated,
    git: gitSnapshot({ cwd, clock, env }),
    instructions: memory === undefined ? files : withMemoryIndexes(files, () => memoryIndexes(memory)),
    nested: nestedInstructions(instructions),
    mentions: fileMentions({ cwd, home, ...(options.deny === undefined ? {} : { deny: options.deny }) }),
    changes: fileChanges({ env }),
  };
}

/** What `localPorts` tells the search for instruction files; `explainInstructions` takes the same. */
export function localInstructions(options: LocalPortsOptions): InstructionOptions {
  const { cwd, env = process.env } = options;
  const home = options.home ?? (env['HOME'] || homedir());
  const configDir = options.configDir ?? defaultConfigDir(env, home);
  const stored = async () => (await projectState({ cwd, configDir })).externalImports ?? 'unasked';
  return {
    ...options.instructions,
    cwd,
    home,
    env: { ...env, SIDENOTE_CONFIG_DIR: configDir },
    externalImports: options.externalImports ?? stored,
    ...(options.excludes === undefined ? {} : { excludes: options.excludes }),
  };
}
