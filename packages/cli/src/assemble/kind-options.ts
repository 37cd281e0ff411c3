/** What settings and environment say of single kinds: which are off, the options of each, and what of it says nothing. */
import { builtInKinds, hookKinds, type Json } from '@sidenote/engine';
import { envFlag, nearest, type LoadedSettings } from '@sidenote/node';
import type { Io } from '../io.js';

type Options = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** Of kinds whose setting is an object. */
export function kindOptions({ settings }: Pick<LoadedSettings, 'settings'>): Options {
  const entries = Object.entries(settings.attachments ?? {});
  return Object.fromEntries(entries.filter((entry): entry is [string, Options[string]] => typeof entry[1] === 'object'));
}

/** One line each, for the person. */
export function optionProblems({ settings }: Pick<LoadedSettings, 'settings'>): readonly string[] {
  const kinds = builtInKinds.map(({ kind }) => kind);
  const unknown = Object.keys(settings.attachments ?? {}).filter((kind) => !kinds.includes(kind));
  const without = Object.entries(kindOptions({ settings })).flatMap(([kind, given]) => {
    const { options = [] } = builtInKinds.find((one) => one.kind === kind) ?? {};
    const idle = kinds.includes(kind) ? Object.keys(given).filter((name) => !options.includes(name)) : [];
    return idle.map((name) => {
      const near = nearest(name, options);
      const has = options.length === 0 ? 'the kind is on or off' : `there are ${options.join(', ')}`;
      return `the setting attachments.${kind}.${name} has no effect: ${near === undefined ? has : `did you mean ${near}?`}`;
    });
  });
  return [
    ...without,
    ...unknown.map((kind) => {
      const near = nearest(kind, kinds);
      return `the setting attachments.${kind} names no kind of context${near === undefined ? `; there are ${kinds.join(', ')}` : `: did you mean ${near}?`}`;
    }),
  ];
}

/** Kinds that are off, with the reason. */
export function kindsOff({ settings }: LoadedSettings, env: Io['env']): Record<string, string> {
  const off: Record<string, string> = {};
  for (const [kind, value] of Object.entries(settings.attachments ?? {})) {
    if (value !== false) continue;
    // The first of the hook kinds stands for what hooks say in any way.
    const kinds = kind === 'hook_additional_context' ? hookKinds.map((one) => one.kind) : [kind];
    for (const one of kinds) off[one] = `switched off by the setting attachments.${kind}`;
  }
  if (settings.includeGitInstructions === false) off['git_snapshot'] = 'switched off by the setting includeGitInstructions';
  if (settings.skills?.discovery === false) off['skill_discovery'] = 'switched off by the setting skills.discovery';
  if (settings.git?.position === 'off') off['git_snapshot'] = 'switched off by the setting git.position';
  if (envFlag(env, 'CLAUDE_CODE_REMOTE')) off['git_snapshot'] = 'a remote run has no use for it (CLAUDE_CODE_REMOTE)';
  if (envFlag(env, 'CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS')) off['git_snapshot'] = 'switched off by CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS';
  return off;
}
