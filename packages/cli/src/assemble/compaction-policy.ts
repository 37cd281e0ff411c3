/** When a conversation is compacted without being asked: what settings and environment say. */
import type { CompactionPolicy } from '@sidenote/agent';
import { compactionThreshold, type ModelProfile } from '@sidenote/engine';
import { envNumber } from '@sidenote/node';
import type { Setup } from './set-up.js';

/** `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`, 1 to 100, goes before the setting `compaction.percent`. */
export function compactionPolicy({ io, loaded }: Pick<Setup, 'io' | 'loaded'>): CompactionPolicy {
  const { auto, percent } = loaded.settings.compaction ?? {};
  const lowered = envNumber(io.env, 'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE') ?? percent;
  return { ...(auto === undefined ? {} : { auto }), ...(lowered === undefined ? {} : { percent: lowered }) };
}

/** Tokens at which it begins with this model; null: not without being asked. */
export function compactsAt(setup: Pick<Setup, 'io' | 'loaded'>, profile: ModelProfile): number | null {
  const { auto, percent } = compactionPolicy(setup);
  return auto === false ? null : compactionThreshold(profile, percent);
}
