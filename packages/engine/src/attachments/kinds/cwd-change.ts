/** That the work is in another folder than the system prompt says: a resumed session keeps the prompt that it began with. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import { member } from '../parts/kept.js';

/** Fold: the folder that this window was told since its newest prefix. */
const toldFolder: Fold<{ readonly cwd: string | undefined }> = {
  name: 'cwd-change',
  scope: 'window',
  on: ['prefix', 'attachment'],
  initial: () => ({ cwd: undefined }),
  step(told, record) {
    if (record.type === 'prefix') return { cwd: undefined };
    const cwd = isKind(record, 'cwd_change') ? member(record.data, 'cwd') : undefined;
    return typeof cwd === 'string' ? { cwd } : told;
  },
};

export const cwdChange = defineAttachment({
  kind: 'cwd_change',
  version: 1,
  needs: ['folder'],
  group: 'thread',
  wait: 'may',
  trust: 'client',
  told: toldFolder,
  decode(data) {
    const cwd = member(data, 'cwd');
    return typeof cwd === 'string' ? { cwd } : undefined;
  },
  collect({ system }, { cwd: last }, { folder: { cwd, isNamedIn } }) {
    const isTold = last === undefined ? system === undefined || isNamedIn(system) : last === cwd;
    return isTold ? { type: 'nothing' } : { type: 'new', data: { cwd } };
  },
  render({ cwd }: { readonly cwd: string }) {
    const text = `The working directory is now ${cwd}: this session goes on in it. Where an earlier text names another one, that is where it was before.`;
    return { content: [{ type: 'text', text }] };
  },
  title: ({ cwd }) => `working directory ${cwd}`,
  reason: () => 'it is not the one that was told',
});
