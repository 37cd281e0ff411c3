/** Kinds that tell how much of a limit of the session is used up: at first, and with each tenth of it. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind, type Maybe } from '../contract.js';
import type { SessionUsage } from '../ports.js';
import { member } from './kept.js';
import { everyTurn, hasTenth, tenths } from './tenths.js';

type Used = { readonly used: number; readonly limit: number };

export function defineLimit({
  kind,
  read,
  text,
  title,
}: {
  readonly kind: string;
  /** Nothing: no such limit is set. */
  read(usage: SessionUsage): Maybe<Used>;
  text(used: Used): string;
  title(used: Used): string;
}) {
  return defineAttachment({
    kind,
    version: 1,
    needs: ['usage', 'options'],
    options: ['cadence'],
    group: 'main',
    wait: 'may',
    trust: 'client',
    told: toldFold(kind),
    decode: hasTenth,
    async collect(moment, told, { usage, options }) {
      const reading = await usage.read(moment.signal);
      if (reading.type === 'unavailable') return reading;
      const found = read(reading.value);
      if (found.type !== 'new') return found;
      const { used, limit } = found.data;
      const tenth = tenths(used, limit);
      const asked = everyTurn(options, kind) && moment.trigger === 'prompt';
      return asked || tenth > told.tenth || limit !== told.limit ? { type: 'new', data: { used, limit, tenth } } : { type: 'nothing' };
    },
    render: (data: Used & { readonly tenth: number }) => ({ content: [{ type: 'text', text: text(data) }] }),
    keep: ({ limit, tenth }) => ({ limit, tenth }),
    title,
    reason: ({ tenth }) => (tenth === 0 ? 'a limit is set' : `${tenth * 10} % of the limit are used`),
  });
}

/** Fold: the tenth that the newest attachment of this kind in the window told, and of which limit. */
function toldFold(kind: string): Fold<{ limit: number; tenth: number }> {
  return {
    name: `told-tenth:${kind}`,
    scope: 'window',
    on: ['attachment'],
    initial: () => ({ limit: 0, tenth: -1 }),
    step(state, record) {
      if (!isKind(record, kind)) return state;
      const limit = member(record.data, 'limit');
      const tenth = member(record.data, 'tenth');
      return typeof limit === 'number' && typeof tenth === 'number' ? { limit, tenth } : state;
    },
  };
}
