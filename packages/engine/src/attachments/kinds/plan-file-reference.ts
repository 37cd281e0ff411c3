/** After a compaction: where the approved plan lies, until its work was checked. */
import { defineAttachment } from '../contract.js';
import { planWorkFold } from '../parts/plan-effects.js';

export const planFileReference = defineAttachment({
  kind: 'plan_file_reference',
  version: 1,
  needs: [],
  group: 'main',
  wait: 'may',
  trust: 'client',
  again: 'again',
  told: planWorkFold,
  decode: (data) => data,
  collect: (_moment, { approved, isLost, isChecked }) =>
    approved !== undefined && isLost && !isChecked ? { type: 'new', data: { file: approved } } : { type: 'nothing' },
  render: ({ file }: { readonly file: string }) => ({
    content: [
      {
        type: 'text',
        text: `The plan that the person approved before the conversation was summarised is in ${file}: read it before going on with its work.`,
      },
    ],
  }),
  title: ({ file }) => `approved plan: ${file}`,
  reason: () => 'it was approved before the compaction',
});
