/** The rules of auto mode: in full on entry, then every 5 turns, every 5th of those in full. */
import { defineAttachment } from '../contract.js';
import { newestNotice, noticeDue, noticeIn, type Notice } from '../parts/mode-notices.js';

type Data = Notice & { readonly full: boolean };

const SHORT = 'Auto mode is still on: work on without waiting for the person, and stop before what can’t be undone.';
const WHOLE =
  'Auto mode is on: the person does not follow each step. Edits in the working directory and the usual commands of development run unasked; ' +
  'commands that destroy work, publish something or take more rights are refused, and all others are asked about. ' +
  'Decide small things yourself and say so at the end; stop and ask where a choice can’t be undone or the task leaves it open. ' +
  'What was refused is not to be reached another way.';

export const autoMode = defineAttachment({
  kind: 'auto_mode',
  version: 1,
  needs: ['mode'],
  group: 'thread',
  wait: 'must',
  trust: 'client',
  again: 'again',
  told: newestNotice<Notice>('auto_mode', 'auto_mode_exit'),
  decode: noticeIn,
  async collect({ turn, signal }, { last }, { mode }) {
    const reading = await mode.read(signal);
    if (reading.type === 'unavailable') return reading;
    const due = reading.value.mode === 'auto' ? noticeDue(turn, last) : undefined;
    return due === undefined ? { type: 'nothing' } : { type: 'new', data: due };
  },
  render: ({ full }: Data) => ({ content: [{ type: 'text', text: full ? WHOLE : SHORT }] }),
  keep: ({ turn, count }) => ({ turn, count }),
  title: ({ full }) => (full ? 'auto mode' : 'auto mode goes on'),
  reason: ({ count, full }) =>
    count === 0 ? 'the mode is auto, and this window was not told' : `still on; ${full ? 'in full' : 'in short'}`,
});
