/** When a conversation is compacted without being asked: what settings and environment say. */
import type { CompactionPolicy } from '@sidenote/agent';
import { envValue } from '@sidenote/node';
import type { Setup } from './set-up.js';

/** `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`, 1 to 100, goes before the setting `compaction.percent`; anything else it holds counts for nothing. */
export function compactionPolicy({ io, loaded }: Pick<Setup, 'io' | 'loaded'>): CompactionPolicy {
  const { auto, percent } = loaded.settings.compaction ?? {};
  const given = Number(envValue(io.env, 'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE') ?? 'NaN');
  const lowered = given >= 1 && given <= 100 ? given : percent;
  return { ...(auto === undefined ? {} : { auto }), ...(lowered === undefined ? {} : { percent: lowered }) };
}
