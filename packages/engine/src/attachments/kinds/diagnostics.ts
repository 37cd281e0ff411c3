/** Problems that the editor shows: those that are new since the model was last told of any. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import { changesOf, learn, problemsKind, type Known } from '../parts/problems.js';
import { effectsIn } from '../parts/views.js';

type Told = {
  readonly known: Known;
  /** Files written by the calls of the newest step. */
  readonly written: Set<string>;
};

export const diagnostics = defineAttachment({
  kind: 'diagnostics',
  needs: ['diagnostics', 'digest'],
  ...problemsKind({ who: 'editor', intro: 'The editor reports problems that you were not told of before:' }),
  told: toldFold(),
  async collect(moment, told, { diagnostics: port, digest }) {
    const reading = await port.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    // What the editor says of a file that was written a moment ago may be of before; it is asked again with the next message.
    const old = moment.trigger === 'tool_results' ? [...told.written] : [];
    const files = reading.value.filter(({ path }) => !old.includes(path));
    return changesOf(files, { known: told.known, digest, allBut: old });
  },
});

function toldFold(): Fold<Told> {
  return {
    name: 'diagnostics',
    scope: 'window',
    on: ['attachment', 'tool_result', 'assistant'],
    initial: () => ({ known: new Map(), written: new Set() }),
    step(state, record) {
      if (record.type === 'assistant') state.written.clear();
      if (isKind(record, 'diagnostics')) learn(state.known, record.data);
      for (const effect of effectsIn(record)) if (effect.type === 'wrote') state.written.add(effect.view.path);
      return state;
    },
  };
}
