/** Hooks that settings name, for a view that runs none. */
import type { LoadedSettings } from '@sidenote/node';
import type { Json } from '@sidenote/engine';

export type HookItem = {
  readonly event: string;
  /** The command, cut; or the type of a hook that has none. */
  readonly runs: string;
  readonly file: string;
  /** Why it would run, or not. */
  readonly reason: string;
};

/** Characters of a command that are shown. */
const MOST = 100;

/** In the order in which settings hold them. */
export function hooksIn({ settings, origins }: LoadedSettings): readonly HookItem[] {
  return Object.entries(settings.hooks ?? {}).flatMap(([event, entries]) =>
    entries.flatMap((entry, index) => {
      const file = origins.get(`hooks.${event}.${index}`)?.file ?? 'settings';
      const matcher = textAt(entry, 'matcher');
      const when = matcher === undefined || matcher === '' || matcher === '*' ? '' : ` for ${matcher}`;
      return runsOf(entry).map((runs) => ({ event, runs, file, reason: `would run${when} once hooks are built` }));
    }),
  );
}

function runsOf(entry: Json): readonly string[] {
  const hooks = isObject(entry) && Array.isArray(entry['hooks']) ? entry['hooks'] : [entry];
  return hooks.map((hook: Json) => {
    const says = textAt(hook, 'command') ?? textAt(hook, 'url') ?? textAt(hook, 'type') ?? 'an entry that is not understood';
    return says.length > MOST ? `${says.slice(0, MOST)}…` : says;
  });
}

function textAt(value: Json, key: string): string | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : undefined;
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
