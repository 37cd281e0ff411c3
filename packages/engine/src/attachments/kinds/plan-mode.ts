/** The rules of plan mode: in full on entry, then every 5 turns, every 5th of those in full; again where the plan's file is another. */
import { defineAttachment } from '../contract.js';
import { member } from '../parts/kept.js';
import { newestNotice, noticeDue, noticeIn, type Notice } from '../parts/mode-notices.js';
import type { ModeNow } from '../ports.js';

type Told = Notice & { readonly file: string | null };
type Data = Notice & { readonly full: boolean; readonly plan: ModeNow['plan'] };

export const planMode = defineAttachment({
  kind: 'plan_mode',
  version: 1,
  needs: ['mode'],
  group: 'thread',
  wait: 'must',
  trust: 'client',
  again: 'again',
  told: newestNotice<Told>('plan_mode', 'plan_mode_exit'),
  decode(data) {
    const file = member(data, 'file');
    const notice = noticeIn(data);
    return notice === undefined ? undefined : { ...notice, file: typeof file === 'string' ? file : null };
  },
  async collect({ turn, signal }, { last }, { mode }) {
    const reading = await mode.read(signal);
    if (reading.type === 'unavailable') return reading;
    if (reading.value.mode !== 'plan') return { type: 'nothing' };
    const { plan } = reading.value;
    const isMoved = plan !== undefined && last !== undefined && last.file !== plan.file;
    const due = noticeDue(turn, isMoved ? undefined : last);
    return due === undefined ? { type: 'nothing' } : { type: 'new', data: { ...due, plan } };
  },
  render: (data: Data) => ({ content: [{ type: 'text', text: data.full ? whole(data) : short(data) }] }),
  keep: ({ turn, count, plan }) => ({ turn, count, file: plan?.file ?? null }),
  title: ({ full }) => (full ? 'plan mode' : 'plan mode goes on'),
  reason: ({ count, full }) =>
    count === 0 ? 'the mode is plan, and this window was not told' : `still on; ${full ? 'in full' : 'in short'}`,
});

function short({ plan }: Data): string {
  const file = plan === undefined ? '' : `, the plan file ${plan.file} apart`;
  return `Plan mode is still on: nothing is changed${file}.${leave(plan)}`;
}

function whole({ plan }: Data): string {
  const rules =
    'Plan mode is on: the person wants a plan before anything is changed. Until it is approved, edits, commands that do more than read, ' +
    'and tools that may change something are refused.';
  if (plan === undefined) return `${rules} Look into what you were asked, and answer with what you found.`;
  const file = plan.exists
    ? `The plan file ${plan.file} is there already: read it, and change it with Edit or Write.`
    : `Write the plan with Write to ${plan.file}.`;
  return (
    `${rules} The plan file is the only one that can be written. ${file}\n` +
    `Read what the task touches, and ask where the task leaves a choice. The plan says what is done, in which files, and how it is checked.${leave(plan)}`
  );
}

function leave(plan: ModeNow['plan']): string {
  return plan?.tool === undefined ? '' : ` When the plan is ready, call ${plan.tool}: it asks the person for approval.`;
}
