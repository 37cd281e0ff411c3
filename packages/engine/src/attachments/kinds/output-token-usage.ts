/** Tokens that were written, against a target for each turn or a limit of the session: at first, and with each tenth. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import { member } from '../parts/kept.js';
import { count, everyTurn, hasTenth, tenths } from '../parts/tenths.js';

const KIND = 'output_token_usage';

type Told = {
  /** Output tokens since the words that opened the turn. */
  readonly written: number;
  /** Tenth of the target told in this turn; 0: none. */
  readonly turn: number;
  /** Tenth of the session's limit; -1: nothing was told in this window. */
  readonly tenth: number;
};

/** Fold: what this turn wrote, and what was told of it. */
const toldFold: Fold<Told> = {
  name: 'output-token-usage',
  scope: 'window',
  on: ['user', 'assistant', 'attachment'],
  initial: () => ({ written: 0, turn: 0, tenth: -1 }),
  step(state, record) {
    if (record.type === 'user' && record.origin === 'human') return { ...state, written: 0, turn: 0 };
    if (record.type === 'assistant') return { ...state, written: state.written + record.message.usage.output_tokens };
    if (!isKind(record, KIND)) return state;
    const [turn, tenth] = [member(record.data, 'turn'), member(record.data, 'tenth')];
    return { ...state, turn: typeof turn === 'number' ? turn : state.turn, tenth: typeof tenth === 'number' ? tenth : state.tenth };
  },
};

type Data = {
  readonly written: number;
  readonly target: number | undefined;
  readonly used: number;
  readonly limit: number | undefined;
  readonly turn: number;
  readonly tenth: number;
};

export const outputTokenUsage = defineAttachment({
  kind: KIND,
  version: 1,
  needs: ['usage', 'options'],
  options: ['cadence', 'target'],
  group: 'main',
  wait: 'may',
  trust: 'client',
  told: toldFold,
  decode: hasTenth,
  async collect(moment, told, { usage, options }) {
    const reading = await usage.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const { output: used, limits } = reading.value;
    const wanted = options.of(KIND)['target'];
    const target = typeof wanted === 'number' && wanted > 0 ? wanted : undefined;
    const limit = limits.output;
    if (target === undefined && limit === undefined) return { type: 'nothing' };
    const begins = moment.trigger === 'prompt';
    const written = begins ? 0 : told.written;
    const turn = target === undefined ? 0 : tenths(written, target);
    const tenth = limit === undefined ? 0 : tenths(used, limit);
    const data: Data = { written, target, used, limit, turn, tenth };
    const isNew = tenth > told.tenth || (!begins && turn > told.turn) || (begins && everyTurn(options, KIND));
    return isNew ? { type: 'new', data } : { type: 'nothing' };
  },
  render({ written, target, used, limit }) {
    const lines = [
      ...(target === undefined
        ? []
        : [`Output of this turn: ${count(written)} tokens, of about ${count(target)} that a turn should take.`]),
      ...(limit === undefined ? [] : [`Output of this session: ${count(used)} of ${count(limit)} tokens. It is stopped at the limit.`]),
    ];
    return { content: [{ type: 'text', text: lines.join('\n') }] };
  },
  keep: ({ turn, tenth }) => ({ turn, tenth }),
  title: ({ written, used, limit }) =>
    limit === undefined ? `output: ${count(written)} tokens in this turn` : `output: ${count(used)} of ${count(limit)} tokens`,
  reason: ({ turn, tenth }) => {
    const most = Math.max(turn, tenth);
    return most === 0 ? 'an output target or limit is set' : `${most * 10} % are used`;
  },
});
