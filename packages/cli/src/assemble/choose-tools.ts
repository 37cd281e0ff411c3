/**
 * Which of the built-in tools a session offers: `--tools` names them, `--disallowedTools` and deny rules take whole tools
 * away, and a chosen agent has its own lists.
 */
import { allowedTools, type AnyTool } from '@sidenote/agent';
import { currentToolName, nearest } from '@sidenote/node';
import { listed } from '../flags/parse.js';
import { UsageError } from '../usage-error.js';
import type { Setup } from './set-up.js';

/** @throws {UsageError} for a name that no tool has, with the nearest one. */
export function chooseTools(
  all: readonly AnyTool[],
  { flags, agent, loaded }: Pick<Setup, 'flags' | 'agent' | 'loaded'>,
): readonly AnyTool[] {
  const names = all.map(({ spec }) => spec.name);
  const wanted = listed(flags, 'tools')?.map(currentToolName);
  for (const name of wanted ?? []) {
    if (name === 'default' || names.includes(name)) continue;
    const near = nearest(name, names);
    throw new UsageError(
      `--tools ${name}: there is no such tool${near === undefined ? '' : `; did you mean ${near}?`} (${names.join(', ')})`,
    );
  }
  // A model that is shown a tool that it never may use tries it.
  const banned = [...(listed(flags, 'disallowedTools') ?? []), ...(loaded.settings.permissions?.deny ?? [])].map(currentToolName);
  const offered = wanted === undefined || wanted.includes('default') ? names : wanted;
  return allowedTools(all, agent ?? {}).filter(({ spec }) => offered.includes(spec.name) && !banned.includes(spec.name));
}
