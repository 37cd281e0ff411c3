/** What a person is told of a compaction: what it keeps before it begins, and what came of it. */
import type { AgentEvent, CompactionResult } from '@sidenote/agent';
import { countText, type Standing } from '@sidenote/engine';

type Started = Extract<AgentEvent, { readonly type: 'compaction-started' }>;

const BECAUSE = {
  auto: 'The context window is nearly full',
  manual: 'As asked',
  overflow: 'The request was too long',
} as const;

export function startedText({ trigger, tokens, survives }: Started): string {
  return `${BECAUSE[trigger]}: summarising the conversation (about ${countText(tokens)} tokens). ${keeps(survives)}`;
}

export function compactionText(result: CompactionResult): string {
  const { outcome, before, after, kept, survives, why = '' } = result;
  switch (outcome) {
    case 'nothing':
      return why;
    case 'refused':
      return `Not compacted: ${why}`;
    case 'interrupted':
      return 'The compaction was interrupted: the conversation is as it was.';
    case 'failed':
      return `The compaction failed (${why.replace(/\.$/, '')}): the conversation is as it was.`;
    default: {
      const how =
        outcome === 'plain' ? ` The model gave no summary (${why.replace(/\.$/, '')}), so it was put together from the record.` : '';
      const newest =
        kept === 0 ? '' : ` The newest ${kept === 1 ? 'message stays' : `${kept} messages stay`} as ${kept === 1 ? 'it is' : 'they are'}.`;
      return `Compacted: about ${countText(before)} tokens became ${countText(after)}.${how}${newest} ${keeps(survives)}`.trimEnd();
    }
  }
}

/** By how they come; one line. */
function keeps(survives: readonly Standing[]): string {
  const named = (comes: Standing['comes']): string =>
    [...new Set(survives.filter((one) => one.comes === comes).map(({ name }) => name))].join('; ');
  const [again, later] = [named('again'), named('when-touched')];
  return [again === '' ? '' : `Not lost: ${again}.`, later === '' ? '' : `Told again when touched: ${later}.`].filter(Boolean).join(' ');
}
