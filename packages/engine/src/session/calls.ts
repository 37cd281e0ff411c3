/** The calls of the newest answer and what has come back: read from the window, so a resume knows what is still open. */
import type { Id, Returned } from '../content/content.js';
import { restoreDeep } from '../content/tags.js';
import type { Fold } from '../transcript/fold.js';
import { blockLineId } from '../transcript/line-codec.js';
import type { ToolCall } from './session.js';

export type Calls = { readonly calls: readonly ToolCall[]; readonly results: Map<Id, Id>; readonly lines: ReadonlyMap<Id, Id> };

/** Fold: calls of the newest answer, the records of their results by call, and the lines that hold the calls. */
export const callsFold: Fold<Calls> = {
  name: 'open-calls',
  scope: 'window',
  on: ['assistant', 'tool_result'],
  initial: () => ({ calls: [], results: new Map(), lines: new Map() }),
  step(state, record) {
    if (record.type === 'tool_result') {
      if (state.calls.some((call) => call.id === record.call)) state.results.set(record.call, record.id);
      return state;
    }
    if (record.type !== 'assistant') return state;
    const { content } = record.message;
    const lines = content.flatMap((block, index): [Id, Id][] => {
      const call = callOf(block);
      return call === undefined ? [] : [[call.id, blockLineId(record.id, index, content.length)]];
    });
    return { calls: content.flatMap((block) => callOf(block) ?? []), results: new Map(), lines: new Map(lines) };
  },
};

/** The call in a block, with reminder tags in its input restored, so that tools work on the true bytes. */
function callOf(block: Returned): ToolCall | undefined {
  if (block.type !== 'tool_use' || !('id' in block) || !('name' in block)) return undefined;
  return { id: String(block.id), name: String(block.name), input: restoreDeep('input' in block ? block.input : {}) };
}

/** Calls without a result yet. */
export const openCalls = ({ calls, results }: Calls): readonly ToolCall[] => calls.filter((call) => !results.has(call.id));

/**
 * Fold: turns so far, answers in the newest one, and the record of the words that it answers. A turn is opened by a person's
 * words, never by injected ones.
 */
export const turnFold: Fold<{ turn: number; step: number; prompt?: Id }> = {
  name: 'turns',
  scope: 'chain',
  on: ['user', 'assistant'],
  initial: () => ({ turn: 0, step: 0 }),
  step(state, record) {
    if (record.type === 'assistant') return { ...state, step: state.step + 1 };
    if (record.type !== 'user' || record.origin === 'summary') return state;
    const prompt = record.id;
    return record.origin === 'human' ? { turn: state.turn + 1, step: 0, prompt } : { ...state, prompt };
  },
};
