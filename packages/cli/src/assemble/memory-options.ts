/** What settings, flags and environment say of memories; the session, the dry run, the lint and `/memory` share it. */
import { envFlag, memoryPlaces, objectionToFolder, resolveFrom, type LoadedSettings, type MemoryPlaces } from '@sidenote/node';
import type { Io } from '../io.js';

export type MemoryOptions = {
  readonly places: MemoryPlaces;
  /** Why memories are neither told nor written in this run; undefined: they are. */
  readonly off: string | undefined;
  /** Where the indexes are told. */
  readonly delivery: 'instructions' | 'recall';
  /** The model that picks memories, by the name that was asked for. */
  readonly model: string | undefined;
  /** One line each, for the person. */
  readonly notices: readonly string[];
};

type Surroundings = {
  readonly io: Pick<Io, 'cwd' | 'home'>;
  readonly env: Io['env'];
  readonly configDir: string;
  readonly loaded: LoadedSettings;
  readonly bare: boolean;
};

export function memoryOptions({ io, env, configDir, loaded, bare }: Surroundings): MemoryOptions {
  const { autoMemoryDirectory: named, memory } = loaded.settings;
  const against = named === undefined ? undefined : objectionToFolder(named, io);
  const origin = loaded.origins.get('autoMemoryDirectory')?.file ?? 'settings';
  const directory = named === undefined || against !== undefined ? {} : { directory: resolveFrom(io.cwd, named, io.home) };
  const places = memoryPlaces({ cwd: io.cwd, configDir, ...directory });
  return {
    places,
    off: whyOff(loaded, env, bare),
    delivery: memory?.delivery ?? 'instructions',
    model: memory?.model,
    notices:
      against === undefined ? [] : [`${origin}: "autoMemoryDirectory" can't be ${named}: ${against}; memories are in ${places.own.path}`],
  };
}

function whyOff({ settings }: LoadedSettings, env: Io['env'], bare: boolean): string | undefined {
  if (bare) return 'a bare run discovers nothing';
  if (settings.autoMemoryEnabled === false) return 'switched off by the setting autoMemoryEnabled';
  const variable = ['CLAUDE_CODE_DISABLE_CLAUDE_MDS', 'CLAUDE_CODE_DISABLE_AUTO_MEMORY'].find((name) => envFlag(env, name));
  return variable === undefined ? undefined : `switched off by ${variable}`;
}
