/** Which file is in the active editor: with the person's words, and only when it is another one than last told. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import { member } from '../parts/kept.js';

type Data = { readonly path: string };

/** A selection that was told names its file, too. */
const lastPath: Fold<{ path: string | undefined }> = {
  name: 'ide-opened-file',
  scope: 'window',
  on: ['attachment'],
  initial: () => ({ path: undefined }),
  step(state, record) {
    if (!isKind(record, 'ide_opened_file') && !isKind(record, 'ide_selection')) return state;
    const path = member(record.data, 'path');
    return typeof path === 'string' ? { path } : state;
  },
};

export const ideOpenedFile = defineAttachment({
  kind: 'ide_opened_file',
  version: 1,
  needs: ['openedFile'],
  group: 'main',
  wait: 'may',
  trust: 'third-party',
  told: lastPath,
  decode: (data) => (typeof member(data, 'path') === 'string' ? data : undefined),
  async collect(moment, told, { openedFile }) {
    if (moment.prompts.length === 0) return { type: 'nothing' };
    const reading = await openedFile.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const { value } = reading;
    return value === null || value === told.path ? { type: 'nothing' } : { type: 'new', data: { path: value } };
  },
  render: ({ path }: Data) => ({
    content: [{ type: 'text', text: `The user has ${path} open in the editor. It may or may not bear on what they say.` }],
  }),
  title: ({ path }) => `open in the editor: ${path}`,
  reason: () => 'another file than the one that was told last',
});
