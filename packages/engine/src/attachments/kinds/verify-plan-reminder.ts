/** Once per approved plan, when its work looks finished: that its checks are still to be run. */
import { defineAttachment } from '../contract.js';
import { planWorkFold } from '../parts/plan-effects.js';

export const verifyPlanReminder = defineAttachment({
  kind: 'verify_plan_reminder',
  version: 1,
  needs: ['mode'],
  group: 'main',
  wait: 'may',
  trust: 'client',
  told: planWorkFold,
  decode: (data) => data,
  async collect({ trigger, signal }, { approved, wrote, listDone, isChecked }, { mode }) {
    if (approved === undefined || isChecked || !wrote) return { type: 'nothing' };
    // Without a list the work is over when the turn is.
    if (listDone !== true && (listDone === false || trigger !== 'prompt')) return { type: 'nothing' };
    const reading = await mode.read(signal);
    if (reading.type === 'unavailable' || reading.value.mode === 'plan') return { type: 'nothing' };
    return { type: 'new', data: { file: approved, byList: listDone === true } };
  },
  render: ({ file }: { readonly file: string; readonly byList: boolean }) => ({
    content: [
      {
        type: 'text',
        text: `The work on the approved plan ${file} looks finished. Run the checks that it names if they were not run since the last change, and say how they went.`,
      },
    ],
  }),
  title: ({ file }) => `the plan is to be checked: ${file}`,
  reason: ({ byList }) => (byList ? 'all items of the list are completed' : 'the turn that changed files is over'),
});
