/** What a person is told of a compaction: before it begins what it keeps, by name, and then what came of it, in figures. */
import type { AgentEvent, CompactionResult } from '@sidenote/agent';
import { countText, type Standing } from '@sidenote/engine';

type Started = Extract<AgentEvent, { readonly type: 'compaction-started' }>;

const BECAUSE = {
  auto: 'The context window is nearly full',
  manual: 'As asked',
  overflow: 'The request was too long',
} as const;

export function startedText({ trigger, tokens, survives }: Started): string {
  return `${BECAUSE[trigger]}: summarising the conversation (about ${countText(tokens)} tokens). ${kept(survives)}`.trimEnd();
}

export function compactionText(result: CompactionResult): string {
  const { outcome, before, after, kept: messages, survives, why = '' } = result;
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
        messages === 0 ? '' : ` The newest ${messages === 1 ? 'message stays as it is' : `${messages} messages stay as they are`}.`;
      return `Compacted: about ${countText(before)} tokens became ${countText(after)}.${how}${newest}${comeBack(survives)}`;
    }
  }
}

const namesOf = (survives: readonly Standing[], comes: Standing['comes']): readonly string[] => [
  ...new Set(survives.filter((one) => one.comes === comes).map(({ name }) => name)),
];

/** By how they come; one line. */
function kept(survives: readonly Standing[]): string {
  const [again, later] = [namesOf(survives, 'again').join('; '), namesOf(survives, 'when-touched').join('; ')];
  return [again === '' ? '' : `Not lost: ${again}.`, later === '' ? '' : `Told again when touched: ${later}.`].filter(Boolean).join(' ');
}

function comeBack(survives: readonly Standing[]): string {
  const [again, later] = [namesOf(survives, 'again').length, namesOf(survives, 'when-touched').length];
  const parts = [again === 0 ? '' : `${again} with the next message`, later === 0 ? '' : `${later} when touched`].filter(Boolean);
  return parts.length === 0 ? '' : ` Told again: ${parts.join(', ')}.`;
}
