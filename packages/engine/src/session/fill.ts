/** The port that tells kinds how full the window is. */
import type { Ports, Source, WindowFill } from '../attachments/ports.js';
import type { ModelProfile } from '../request/model.js';
import { prefixFold } from '../request/sent.js';
import type { TranscriptLog } from '../transcript/log.js';
import { fullnessOf } from '../window/fullness.js';

type FillOptions = {
  readonly log: TranscriptLog;
  readonly ports: Pick<Ports, 'tokens'>;
  readonly profile: (model: string) => ModelProfile;
};

/** Unavailable before the first answer: there is little to tell then, and counting would take time at the start. */
export function fillPort({ log, ports, profile }: FillOptions): Source<WindowFill> {
  return {
    read() {
      const prefix = log.read(prefixFold).value;
      if (prefix === null || !log.window.some(({ type }) => type === 'assistant')) return { type: 'unavailable', why: 'no answer yet' };
      const { tokens } = fullnessOf(log, ports.tokens);
      return { type: 'ready', value: { tokens, window: profile(prefix.model).window }, version: String(tokens) };
    },
  };
}
