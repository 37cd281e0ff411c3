/** How full the window is: said once when it passes 60, 80 and 90 %, so that the model can finish or write down what matters. */
import { countText } from '../../content/count-text.js';
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import { member } from '../parts/kept.js';
import { levelPassed } from '../parts/window-levels.js';

type Data = { readonly level: number; readonly tokens: number; readonly window: number };

/** Fold: the highest level told since the newest compaction; what a kept tail says of the window before it is out of date. */
export const toldLevelFold: Fold<{ level: number }> = {
  name: 'compaction-reminder',
  scope: 'chain',
  on: ['attachment', 'compact_boundary'],
  initial: () => ({ level: 0 }),
  step(state, record) {
    if (record.type === 'compact_boundary') return { level: 0 };
    if (!isKind(record, 'compaction_reminder')) return state;
    const level = member(record.data, 'level');
    return typeof level === 'number' ? { level: Math.max(state.level, level) } : state;
  },
};

export const compactionReminder = defineAttachment({
  kind: 'compaction_reminder',
  version: 1,
  needs: ['fill'],
  group: 'thread',
  wait: 'may',
  trust: 'client',
  told: toldLevelFold,
  decode: (data) => (typeof member(data, 'level') === 'number' ? data : undefined),
  async collect(moment, told, { fill }) {
    const reading = await fill.read(moment.signal);
    if (reading.type === 'unavailable') return { type: 'nothing' };
    const level = levelPassed(told, reading.value);
    return level === undefined ? { type: 'nothing' } : { type: 'new', data: { level, ...reading.value } };
  },
  render({ tokens, window }: Data) {
    const text =
      `The context window is about ${percent(tokens, window)} % full (${countText(tokens)} of ${countText(window)} tokens). ` +
      'Before it is full, older parts of the conversation are replaced by a summary: finish what is nearly done, and keep what must not be lost in files.';
    return { content: [{ type: 'text', text }] };
  },
  keep: ({ level }) => ({ level }),
  title: ({ tokens, window }) => `context window ${percent(tokens, window)} % full`,
  reason: ({ level }) => `it passed ${level} %`,
});

const percent = (tokens: number, window: number): number => Math.min(100, Math.floor((tokens * 100) / window));
