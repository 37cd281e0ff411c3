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

/** Each with the place that it stands in. */
export function settingsRules({ settings, origins }: LoadedSettings, list: 'allow' | 'ask' | 'deny'): readonly RuleText[] {
  return (settings.permissions?.[list] ?? []).map((rule, index) => {
    const origin = origins.get(`permissions.${list}.${index}`);
    return origin === undefined ? rule : { rule, base: origin.folder, file: origin.file };
  });
}

export function permissionOptions({ io, flags, loaded, trusted }: Options): Omit<PermissionOptions, 'readableDirectories' | 'mode'> {
  return {
    cwd: io.cwd,
    home: io.home,
    trusted,
    rules: {
      allow: [...settingsRules(loaded, 'allow'), ...(listed(flags, 'allowedTools') ?? [])],
      ask: settingsRules(loaded, 'ask'),
      deny: [...settingsRules(loaded, 'deny'), ...(listed(flags, 'disallowedTools') ?? [])],
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
  if (mode !== 'bypassPermissions') return mode;
  if (isBypassOff(loaded)) {
    const { file = 'settings' } = loaded.origins.get(BYPASS_OFF) ?? {};
    if (named === mode) throw new UsageError(`permissions can not be skipped here: ${file} says ${BYPASS_OFF}`);
    return 'default';
  }
  refuseRoot(io.env);
  return mode;
}

const BYPASS_OFF = 'permissions.disableBypassPermissionsMode';
export const isBypassOff = ({ settings }: LoadedSettings): boolean => settings.permissions?.disableBypassPermissionsMode === 'disable';

/** Without questions, root could do anything to the machine. */
function refuseRoot(env: Io['env']): void {
  const sandboxed =
    /^(1|true|yes|on)$/i.test(env['IS_SANDBOX'] ?? '') || ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file));
  if (process.getuid?.() !== 0 || sandboxed) return;
  throw new UsageError('root may skip permissions only in a sandbox or container: set IS_SANDBOX=1 if this is one');
}
