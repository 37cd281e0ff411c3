/** From settings and flags to permissions: the mode, and every rule with the folder that its paths count from. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AgentType, Mode, PermissionOptions, RuleText } from '@sidenote/agent';
import type { LoadedSettings } from '@sidenote/node';
import { MODES } from '../flags/flag-table.js';
import { chosen, listed, switched, type Flags } from '../flags/parse.js';
import type { Io } from '../io.js';
import { UsageError } from '../usage-error.js';

type Options = {
  readonly io: Pick<Io, 'cwd' | 'home' | 'env'>;
  readonly flags: Flags;
  readonly loaded: LoadedSettings;
  readonly trusted: boolean;
};

export function permissionOptions({ io, flags, loaded, trusted }: Options): Omit<PermissionOptions, 'readableDirectories' | 'mode'> {
  const rules = (list: 'allow' | 'ask' | 'deny'): RuleText[] =>
    (loaded.settings.permissions?.[list] ?? []).map((rule, index) => {
      const origin = loaded.origins.get(`permissions.${list}.${index}`);
      return origin === undefined ? rule : { rule, base: origin.folder, file: origin.file };
    });
  return {
    cwd: io.cwd,
    home: io.home,
    trusted,
    rules: {
      allow: [...rules('allow'), ...(listed(flags, 'allowedTools') ?? [])],
      ask: rules('ask'),
      deny: [...rules('deny'), ...(listed(flags, 'disallowedTools') ?? [])],
    },
    additionalDirectories: directoriesOf({ io, flags, loaded }),
  };
}

export function directoriesOf({ io, flags, loaded }: Omit<Options, 'trusted'>): readonly string[] {
  const given = listed(flags, 'add-dir') ?? [];
  for (const directory of given) {
    if (!existsSync(resolve(io.cwd, directory))) throw new UsageError(`--add-dir ${directory}: there is no such directory`);
  }
  return [...(loaded.settings.permissions?.additionalDirectories ?? []), ...given].map((directory) => resolve(io.cwd, directory));
}

/** The mode was named on the command line. */
export function isModeAsked(flags: Flags): boolean {
  return switched(flags, 'dangerously-skip-permissions') || chosen(flags, 'permission-mode', MODES) !== undefined;
}

/** What flags, the chosen agent and settings say. @throws {UsageError} for root where nothing holds it. */
export function configuredMode({
  io,
  flags,
  loaded,
  agent,
}: Omit<Options, 'trusted'> & { /** The agent that the session runs as. */ readonly agent?: AgentType | undefined }): Mode {
  const named = switched(flags, 'dangerously-skip-permissions') ? 'bypassPermissions' : chosen(flags, 'permission-mode', MODES);
  const mode = named ?? agent?.permissionMode ?? loaded.settings.permissions?.defaultMode ?? 'default';
  if (mode === 'bypassPermissions') refuseRoot(io.env);
  return mode;
}

/** Without questions, root could do anything to the machine. */
function refuseRoot(env: Io['env']): void {
  const sandboxed =
    /^(1|true|yes|on)$/i.test(env['IS_SANDBOX'] ?? '') || ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file));
  if (process.getuid?.() !== 0 || sandboxed) return;
  throw new UsageError('root may skip permissions only in a sandbox or container: set IS_SANDBOX=1 if this is one');
}
