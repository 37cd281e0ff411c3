/** What a folder's own settings may not do before a person trusts the folder: run commands, widen permissions, lift limits, remove sessions. */
import type { Settings } from './settings.js';

const wideModes: readonly (string | undefined)[] = ['acceptEdits', 'auto', 'bypassPermissions'];

/** A scripted model runs the commands that its script holds. */
export const runsCommands = (model: string | undefined): boolean => model?.trimStart().startsWith('script:') === true;

/** The settings without those powers, and the keys that were left out. */
export function withoutPowers(settings: Settings): { readonly settings: Settings; readonly left: readonly string[] } {
  const {
    hooks,
    disableAllHooks,
    env,
    enabledMcpjsonServers,
    enableAllProjectMcpServers,
    cleanupPeriodDays,
    autoMemoryDirectory,
    plansDirectory,
    lspServers,
    permissions,
    models,
    instructions,
    model,
    memory,
    ...others
  } = settings;
  const left = Object.entries({
    hooks,
    disableAllHooks,
    env,
    enabledMcpjsonServers,
    enableAllProjectMcpServers,
    cleanupPeriodDays,
    autoMemoryDirectory,
    plansDirectory,
    lspServers,
    // Another price would make a limit in dollars worth nothing.
    models,
  })
    .filter(([, value]) => value !== undefined)
    .map(([key]) => key);
  if (runsCommands(model)) left.push('model');
  const { model: chooser, ...remembered } = memory ?? {};
  if (runsCommands(chooser)) left.push('memory.model');
  // A root further up would let instruction files import from further out without being asked for.
  const { rootMarkers, ...named } = instructions ?? {};
  if (rootMarkers !== undefined) left.push('instructions.rootMarkers');
  const harmless = {
    ...others,
    ...(model === undefined || runsCommands(model) ? {} : { model }),
    ...(memory === undefined ? {} : { memory: runsCommands(chooser) ? remembered : memory }),
    ...(instructions === undefined ? {} : { instructions: named }),
  };
  if (permissions === undefined) return { settings: harmless, left };
  const { allow, additionalDirectories, defaultMode, ...narrow } = permissions;
  if (allow !== undefined) left.push('permissions.allow');
  if (additionalDirectories !== undefined) left.push('permissions.additionalDirectories');
  if (wideModes.includes(defaultMode)) left.push('permissions.defaultMode');
  else if (defaultMode !== undefined) return { settings: { ...harmless, permissions: { ...narrow, defaultMode } }, left };
  return { settings: { ...harmless, permissions: narrow }, left };
}

const LIMITS = ['usd', 'tokens', 'outputTokens'] as const;

/** The settings without limits that are above one of `others`: a folder may only ask for less. */
export function withoutRaises(
  settings: Settings,
  others: readonly Settings[],
): { readonly settings: Settings; readonly left: readonly string[] } {
  const { budget, ...rest } = settings;
  if (budget === undefined) return { settings, left: [] };
  const isRaised = (name: (typeof LIMITS)[number]): boolean =>
    others.some(({ budget: other }) => (budget[name] ?? 0) > (other?.[name] ?? Infinity));
  const kept = LIMITS.filter((name) => budget[name] !== undefined && !isRaised(name)).map((name) => [name, budget[name]]);
  return {
    settings: kept.length === 0 ? rest : { ...rest, budget: Object.fromEntries(kept) },
    left: LIMITS.filter(isRaised).map((name) => `budget.${name}`),
  };
}
