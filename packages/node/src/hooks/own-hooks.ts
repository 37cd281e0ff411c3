/** Hooks that a skill or an agent brings in its front matter: they run while it is in use. */
import type { Json } from '@sidenote/engine';
import { isObject, type JsonObject } from './json.js';
import { readHookTable, type ConfiguredHook, type HookOrigin } from './read-hooks.js';

export type OwnHooks = HookOrigin & {
  /** Where they stand in the file, from 1. */
  readonly line: number;
  /** As they were written: entries by event. */
  readonly events: JsonObject;
};

/** What can be understood of them. `problems`: one line each, without the file. */
export function readOwnHooks({ file, layer, events }: OwnHooks): {
  readonly hooks: readonly ConfiguredHook[];
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const hooks = readHookTable(events, { originOf: () => ({ file, layer }), report: (_origin, what) => problems.push(what) });
  return { hooks, problems };
}

/** As they come back from a transcript; undefined for anything else. */
export function ownHooksOf(value: Json | undefined): OwnHooks | undefined {
  if (!isObject(value)) return undefined;
  const { file, line, events } = value;
  const layer = LAYERS.find((one) => one === value['layer']);
  if (typeof file !== 'string' || typeof line !== 'number' || layer === undefined || !isObject(events)) return undefined;
  return { file, layer, line, events };
}

const LAYERS = ['managed', 'flags', 'local', 'project', 'user'] as const;
