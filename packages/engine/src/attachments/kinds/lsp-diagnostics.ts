/** Problems that language servers see in the files that the model has written: those that are new, and only of the text as it is now. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import { changesOf, learn, problemsKind, type Known } from '../parts/problems.js';
import { nothingTouched, touch, touchedNow, type Touched } from '../parts/touched.js';
import { effectsIn } from '../parts/views.js';

type Told = { readonly known: Known; readonly touched: Touched; /** In the order of the last writes. */ readonly written: Set<string> };

export const lspDiagnostics = defineAttachment({
  kind: 'lsp_diagnostics',
  needs: ['languageServers', 'digest'],
  ...problemsKind({
    who: 'language server',
    intro: 'A language server reports problems in files that you have written, which you were not told of before:',
  }),
  told: toldFold(),
  async collect(moment, told, { languageServers, digest }) {
    const touched = touchedNow(told.touched, moment.effects);
    if (touched.length === 0) return { type: 'nothing' };
    const reading = await languageServers.read({ touched, written: [...told.written] }, moment.signal);
    if (reading.type === 'unavailable') return reading;
    return changesOf(reading.value, { known: told.known, digest });
  },
});

function toldFold(): Fold<Told> {
  return {
    name: 'lsp-diagnostics',
    scope: 'window',
    on: ['attachment', 'tool_result'],
    initial: () => ({ known: new Map(), touched: nothingTouched(), written: new Set() }),
    step(state, record) {
      touch(state.touched, record);
      if (isKind(record, 'lsp_diagnostics')) learn(state.known, record.data);
      for (const effect of effectsIn(record)) {
        if (effect.type !== 'wrote') continue;
        state.written.delete(effect.view.path);
        state.written.add(effect.view.path);
      }
      return state;
    },
  };
}
