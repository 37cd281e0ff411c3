/** Hooks as a part of a session: those of settings, and those of skills and agents while they are in use. */
import type { HookedAgent, Hooks } from '@sidenote/agent';
import { skillsInWindowFold, type Thread } from '@sidenote/engine';
import { isWithin, NO_OUTCOME, ownHooksOf, type HookCall, type LocalHooks, type OwnHooks } from '@sidenote/node';
import { mustNotRecur } from './hook-depth.js';
import type { HookRunner } from './hook-part.js';
import type { Part, PartOptions } from './part.js';

/** What runs them is loaded with the first one. */
export async function liveHooks(options: PartOptions): Promise<Part> {
  const { setup, session } = options;
  const { hooks, loaded } = setup;
  if (loaded.settings.disableAllHooks === true) return {};
  if (hooks.length > 0) mustNotRecur(setup.io.env);
  let opening: Promise<HookRunner> | undefined;
  const open = (): Promise<HookRunner> => (opening ??= import('./hook-part.js').then(({ openHooks }) => openHooks(options)));
  if (hooks.length > 0) await open();
  const { inUse } = skillHooks(options);

  const hooksOf = (agent?: HookedAgent): Hooks => {
    const thread = (): Thread | undefined => (agent === undefined ? session()?.main : session()?.threads.find(({ id }) => id === agent.id));
    const own = (): readonly OwnHooks[] => [...(agent?.own ?? []), ...inUse(thread())];
    /** Undefined: there are none to run. */
    const runner = async (): Promise<LocalHooks | undefined> => {
      const more = own();
      return hooks.length === 0 && more.length === 0 ? undefined : (await open()).with(more, agent);
    };
    return {
      run: async (call, how) => (await runner())?.run(call, how) ?? NO_OUTCOME,
      post: (call: HookCall) => void runner().then((running) => running?.post(call)),
      forAgent: hooksOf,
      isIdle: () => hooks.length === 0 && own().length === 0,
    };
  };
  return { agent: { hooks: hooksOf() }, close: async () => (await opening)?.close() };
}

/**
 * Of the skills whose text stands in a thread's window; in a folder that is not trusted (any more), not those of its files, and in
 * a bare run only those of the organisation.
 */
function skillHooks({ setup }: PartOptions): { inUse(thread: Thread | undefined): readonly OwnHooks[] } {
  const read = new WeakMap<object, OwnHooks | null>();
  const isTrusted = (file: string): boolean => setup.added.find(({ path }) => isWithin(path, file))?.trusted ?? setup.trusted;
  const counts = ({ layer, file }: OwnHooks): boolean => layer === 'managed' || (!setup.bare && (layer !== 'project' || isTrusted(file)));
  return {
    inUse(thread) {
      const loaded = thread?.transcript.read(skillsInWindowFold).loaded;
      if (loaded === undefined || loaded.size === 0) return [];
      return [...loaded.values()].flatMap((invocation) => {
        const known = read.get(invocation) ?? ownHooksOf(invocation.hooks) ?? null;
        read.set(invocation, known);
        return known !== null && counts(known) ? [known] : [];
      });
    },
  };
}
