/** What the search for instruction files is told about its surroundings: plain data, mostly from settings and flags. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { realOf } from '../files/paths.js';
import { envFlag } from '../settings/env-flags.js';

/** A glob against absolute paths, and the file (or flag) whose setting `claudeMdExcludes` holds it. */
export type Exclude = { readonly glob: string; readonly file?: string };

export type Answer = 'approved' | 'declined' | 'unasked';

/** Defaults of settings: names per folder, marks of a project's root, hops of imports. */
export const defaultFiles: readonly string[] = ['CLAUDE.md', '.claude/CLAUDE.md', 'AGENTS.md'];
export const defaultRootMarkers: readonly string[] = ['.git'];
export const defaultImportDepth = 5;

export type InstructionOptions = {
  readonly cwd: string;
  /** Default: the account's home. */
  readonly home?: string;
  /** Default: the process's. `CLAUDE_CONFIG_DIR`, `SIDENOTE_CONFIG_DIR` and the switches are read from it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Setting `claudeMdExcludes`, of every layer. Asked at each reading. Files of the organisation can't be excluded. */
  readonly excludes?: () => readonly (string | Exclude)[];
  /** The stored answer to imports from outside the project by project files. Default `unasked`: they stay out. */
  readonly externalImports?: () => Answer | Promise<Answer>;
  /** Whether a permission rule lets the model read a file; asked of imports. Default: each may be read. */
  readonly mayRead?: (path: string) => Promise<boolean>;
  /** Of the organisation. `folders` default to those of the platform; `text` is the managed setting `claudeMd`, from `file`. */
  readonly managed?: { readonly folders?: readonly string[]; readonly text?: { readonly text: string; readonly file: string } };
  /** Folders added beside `cwd` (`--add-dir`): told with `bare`, or where `CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD` is set. */
  readonly directories?: readonly string[];
  /** Nothing is discovered; `directories` alone count. Default: what `CLAUDE_CODE_SIMPLE` says. */
  readonly bare?: boolean;
  /** Scopes that are told (`--setting-sources`). Default: all. */
  readonly sources?: readonly ('user' | 'project' | 'local')[];
  /** Names looked for in each folder, in this order (setting `instructions.files`). Rules and `CLAUDE.local.md` stand beside. */
  readonly files?: readonly string[];
  /** The nearest folder with one of these is the project's root (`instructions.rootMarkers`). */
  readonly rootMarkers?: readonly string[];
  /** Hops (`instructions.importDepth`). */
  readonly importDepth?: number;
  /** Tokens for all files told at the start (`instructions.budget`). Default: no limit of their own. */
  readonly budget?: number;
  /** Tokens that the model's window holds: a larger one bears larger files. Default 200,000. */
  readonly window?: () => number;
};

export type Surroundings = {
  readonly home: string;
  /** The home under every name by which a walk may meet it. */
  readonly homes: readonly string[];
  /** `~/.claude`, or where `CLAUDE_CONFIG_DIR` says. */
  readonly userFolder: string;
  /** `~/.sidenote`, or where `SIDENOTE_CONFIG_DIR` says. */
  readonly ownFolder: string;
  readonly managedFolders: readonly string[];
  /** Absolute, as they were given. */
  readonly directories: readonly string[];
  readonly files: readonly string[];
  /** Why a scope isn't told in this run; undefined: it is. */
  off(scope: 'managed' | 'user' | 'project' | 'local' | 'added'): string | undefined;
};

export function surroundingsOf(options: InstructionOptions): Surroundings {
  const env = options.env ?? process.env;
  const home = options.home ?? env['HOME'] ?? homedir();
  return {
    home,
    homes: [...new Set([home, realOf(home)])],
    userFolder: env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'),
    ownFolder: env['SIDENOTE_CONFIG_DIR'] || join(home, '.sidenote'),
    managedFolders: options.managed?.folders ?? platformFolders(),
    directories: (options.directories ?? []).map((folder) => resolve(options.cwd, folder)),
    files: options.files ?? defaultFiles,
    off: (scope) => whyOff(scope, options, env),
  };
}

function whyOff(
  scope: Parameters<Surroundings['off']>[0],
  { bare, sources }: InstructionOptions,
  env: NonNullable<InstructionOptions['env']>,
): string | undefined {
  const only = bare ?? envFlag(env, 'CLAUDE_CODE_SIMPLE');
  if (envFlag(env, 'CLAUDE_CODE_DISABLE_CLAUDE_MDS')) return 'switched off by CLAUDE_CODE_DISABLE_CLAUDE_MDS';
  if (scope === 'added') {
    const told = only || envFlag(env, 'CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD');
    return told ? undefined : 'of an added folder; CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD=1 has these told';
  }
  if (only) return 'a bare run discovers nothing';
  if (scope === 'managed' || sources === undefined || sources.includes(scope)) return undefined;
  return `the setting sources leave out ${scope}`;
}

/** Where an organisation puts its own files. */
export function platformFolders(): readonly string[] {
  if (process.platform === 'darwin') return ['/Library/Application Support/ClaudeCode', '/Library/Application Support/Sidenote'];
  if (process.platform === 'win32') return ['C:\\Program Files\\ClaudeCode', 'C:\\Program Files\\Sidenote'];
  return ['/etc/claude-code', '/etc/sidenote'];
}
