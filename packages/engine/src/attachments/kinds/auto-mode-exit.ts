/** Once on leaving auto mode: compared with what the model was told last. */
import { defineAttachment } from '../contract.js';
import { believedFold } from '../parts/mode-notices.js';

export const autoModeExit = defineAttachment({
  kind: 'auto_mode_exit',
  version: 1,
  needs: ['mode'],
  group: 'thread',
  wait: 'must',
  trust: 'client',
  told: believedFold('auto_mode', 'auto_mode_exit'),
  decode: (data) => data,
  async collect({ signal }, { inside }, { mode }) {
    if (!inside) return { type: 'nothing' };
    const reading = await mode.read(signal);
    if (reading.type === 'unavailable') return reading;
    return reading.value.mode === 'auto' ? { type: 'nothing' } : { type: 'new', data: { mode: reading.value.mode } };
  },
  render: ({ mode }: { readonly mode: string }) => ({
    content: [
      { type: 'text', text: `Auto mode is over; the mode is ${mode} now. The person follows along: ask where the task leaves a choice.` },
    ],
  }),
  title: ({ mode }) => `auto mode left for ${mode}`,
  reason: () => 'the mode is no longer auto',
});
