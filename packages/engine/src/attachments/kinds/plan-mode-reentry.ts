/** With the entry into plan mode: that a plan is there from an earlier time. */
import { defineAttachment } from '../contract.js';
import { believedFold } from '../parts/mode-notices.js';

export const planModeReentry = defineAttachment({
  kind: 'plan_mode_reentry',
  version: 1,
  needs: ['mode'],
  group: 'main',
  wait: 'must',
  trust: 'client',
  told: believedFold('plan_mode', 'plan_mode_exit'),
  decode: (data) => data,
  async collect({ signal }, { inside }, { mode }) {
    if (inside) return { type: 'nothing' };
    const reading = await mode.read(signal);
    if (reading.type === 'unavailable') return reading;
    const { plan } = reading.value;
    if (reading.value.mode !== 'plan' || plan?.exists !== true) return { type: 'nothing' };
    return { type: 'new', data: { file: plan.file } };
  },
  render: ({ file }: { readonly file: string }) => ({
    content: [
      {
        type: 'text',
        text: `Plan mode was entered again. ${file} holds the plan of an earlier time: for the same task go on from it, for another one replace it.`,
      },
    ],
  }),
  title: ({ file }) => `an earlier plan: ${file}`,
  reason: () => 'plan mode was entered, and a plan is there',
});
