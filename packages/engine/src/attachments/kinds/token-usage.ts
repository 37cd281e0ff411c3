/** Used, window and left: where half, three quarters and 95 % are passed, or with every prompt where the person wants that. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import { member } from '../parts/kept.js';
import { count, everyTurn } from '../parts/tenths.js';
import { levelPassed } from '../parts/window-levels.js';
import type { WindowFill } from '../ports.js';

const KIND = 'token_usage';
const LEVELS = [95, 75, 50] as const;

type Told = {
  /** Percent told by this kind or by `compaction_reminder`: one of them is enough. */
  readonly level: number;
  /** Percent told by `compaction_reminder`. */
  readonly reminded: number;
};

/** Fold: what the model knows of this window; what a kept tail says of the one before it is out of date. */
const toldFold: Fold<Told> = {
  name: 'token-usage',
  scope: 'chain',
  on: ['attachment', 'compact_boundary'],
  initial: () => ({ level: 0, reminded: 0 }),
  step(state, record) {
    if (record.type === 'compact_boundary') return { level: 0, reminded: 0 };
    const reminds = isKind(record, 'compaction_reminder');
    if (!reminds && !isKind(record, KIND)) return state;
    const told = member(record.data, 'level');
    if (typeof told !== 'number') return state;
    return { level: Math.max(state.level, told), reminded: reminds ? Math.max(state.reminded, told) : state.reminded };
  },
};

export const tokenUsage = defineAttachment({
  kind: KIND,
  version: 1,
  needs: ['fill', 'options'],
  options: ['cadence'],
  group: 'main',
  wait: 'may',
  trust: 'client',
  told: toldFold,
  decode: (data) => (typeof member(data, 'level') === 'number' ? data : undefined),
  async collect(moment, told, { fill, options }) {
    const reading = await fill.read(moment.signal);
    if (reading.type === 'unavailable') return { type: 'nothing' };
    const reminds = !options.isOff('compaction_reminder') && levelPassed({ level: told.reminded }, reading.value) !== undefined;
    if (reminds) return { type: 'nothing' };
    const { tokens, window } = reading.value;
    const passed = LEVELS.find((one) => tokens * 100 >= window * one) ?? 0;
    const asked = everyTurn(options, KIND) && moment.trigger === 'prompt';
    if (!asked && passed <= told.level) return { type: 'nothing' };
    return { type: 'new', data: { level: Math.max(passed, told.level), passed: passed > told.level, tokens, window } };
  },
  render({ tokens, window }: WindowFill & { readonly level: number; readonly passed: boolean }) {
    const text = `Context window: ${count(tokens)} of ${count(window)} tokens used, ${count(window - tokens)} left.`;
    return { content: [{ type: 'text', text }] };
  },
  keep: ({ level }) => ({ level }),
  title: ({ tokens, window }) => `window: ${count(tokens)} of ${count(window)} tokens`,
  reason: ({ level, passed }) => (passed ? `it passed ${level} %` : 'asked for with every turn'),
});
