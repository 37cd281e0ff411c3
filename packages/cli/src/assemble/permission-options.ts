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
  /** The agent that the session runs as. */
  readonly agent?: AgentType | undefined;
};

export function permissionOptions({ io, flags, loaded, trusted, agent }: Options): Omit<PermissionOptions, 'readableDirectories'> {
  const rules = (list: 'allow' | 'ask' | 'deny'): RuleText[] =>
    (loaded.settings.permissions?.[list] ?? []).map((rule, index) => {
      const base = loaded.origins.get(`permissions.${list}.${index}`)?.folder;
      return base === undefined ? rule : { rule, base };
    });
  const mode = modeOf(flags, loaded, agent);
  if (mode === 'bypassPermissions') refuseRoot(io.env);
  return {
    cwd: io.cwd,
    home: io.home,
    trusted,
    mode,
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

function modeOf(flags: Flags, loaded: LoadedSettings, agent: AgentType | undefined): Mode {
  if (switched(flags, 'dangerously-skip-permissions')) return 'bypassPermissions';
  return chosen(flags, 'permission-mode', MODES) ?? agent?.permissionMode ?? loaded.settings.permissions?.defaultMode ?? 'default';
}

/** Without questions, root could do anything to the machine. */
function refuseRoot(env: Io['env']): void {
  const sandboxed =
    /^(1|true|yes|on)$/i.test(env['IS_SANDBOX'] ?? '') || ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file));
  if (process.getuid?.() !== 0 || sandboxed) return;
  throw new UsageError('root may skip permissions only in a sandbox or container: set IS_SANDBOX=1 if this is one');
}
