/** The hooks that count in this run: those of settings and of the agent that it runs as, unless they are switched off or the run discovers nothing. */
import { readHooks, readOwnHooks, type LoadedSettings, type OwnHooks, type ReadHooks } from '@sidenote/node';

type How = {
  readonly bare: boolean;
  /** Of the agent; what can't be read of them was said with its definition. */
  readonly own: OwnHooks | undefined;
};

export function configuredHooks(loaded: LoadedSettings, { bare, own }: How): ReadHooks {
  if (loaded.settings.disableAllHooks === true) return { hooks: [], problems: [] };
  const { hooks, problems } = readHooks(loaded);
  const all = [...hooks, ...(own === undefined ? [] : readOwnHooks(own).hooks)];
  // What the command line names counts in a bare run too, and so does what the organisation demands.
  return { hooks: bare ? all.filter(({ layer }) => layer === 'flags' || layer === 'managed') : all, problems };
}
