/** The hooks that count in this run: those of settings, unless they are switched off or the run discovers nothing. */
import { readHooks, type LoadedSettings, type ReadHooks } from '@sidenote/node';

export function configuredHooks(loaded: LoadedSettings, { bare }: { readonly bare: boolean }): ReadHooks {
  if (loaded.settings.disableAllHooks === true) return { hooks: [], problems: [] };
  const { hooks, problems } = readHooks(loaded);
  // What the command line names counts in a bare run too, and so does what the organisation demands.
  return bare ? { hooks: hooks.filter(({ layer }) => layer === 'flags' || layer === 'managed'), problems } : { hooks, problems };
}
