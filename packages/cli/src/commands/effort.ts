/** `/effort`: shows or changes how much the model thinks. */
import type { Fold, Json } from '@sidenote/engine';
import { EFFORTS } from '../flags/flag-table.js';
import type { Command } from './command.js';

/** Fold: the effort of the next request, as far as the session says. */
const effortFold: Fold<{ effort: string | undefined }> = {
  name: 'cli:effort',
  scope: 'session',
  on: ['prefix', 'state'],
  initial: () => ({ effort: undefined }),
  step(state, record) {
    if (record.type === 'prefix') return { effort: inParams(record.params) ?? state.effort };
    return record.type === 'state' && record.key === 'effort' && typeof record.value === 'string' ? { effort: record.value } : state;
  },
};

function inParams(params: Json): string | undefined {
  if (typeof params !== 'object' || params === null || !('output_config' in params)) return undefined;
  const { output_config: config } = params;
  return typeof config === 'object' && config !== null && 'effort' in config && typeof config['effort'] === 'string'
    ? config['effort']
    : undefined;
}

export const effortCommand: Command = {
  name: 'effort',
  hint: '[level]',
  summary: 'show or change how much the model thinks; a change rewrites the cached messages once',
  async run({ conversation }, rest) {
    const { session } = conversation;
    const { effort } = session.main.transcript.read(effortFold);
    const levels = `/effort takes ${EFFORTS.join(', ')}; the word ultrathink in a prompt asks for more in that turn alone`;
    if (rest === '') return { type: 'text', text: `${effort ?? "the model's default"}\n${levels}` };
    const level = EFFORTS.find((one) => one === rest.toLowerCase());
    if (level === undefined) return { type: 'refused', text: `${rest} is no level: ${levels}` };
    if (level === effort) return { type: 'text', text: `${level} already counts` };
    await session.set('effort', level);
    return { type: 'text', text: `${level} from the next prompt on` };
  },
};
