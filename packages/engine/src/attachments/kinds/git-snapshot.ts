/** The state of the repository when a window begins. It is not kept up to date: the model has git itself. */
import { defineAttachment, lastOf } from '../contract.js';
import { isBlank } from '../../content/text.js';
import { charactersIn, fitLines } from '../parts/room.js';

/** What stands above the snapshot, wherever it is told. */
export const GIT_HEADING = 'State of the git repository at this point; it is not updated later:\n\n';

export const gitSnapshot = defineAttachment({
  kind: 'git_snapshot',
  version: 1,
  needs: ['git'],
  group: 'thread',
  wait: 'may',
  trust: 'third-party',
  position: 'opening',
  wrap: 'opening',
  again: 'again',
  told: lastOf('git_snapshot', () => true),
  decode: (data) => data,
  async collect(moment, told, { git }) {
    if (told.value === true) return { type: 'nothing' };
    const reading = await git.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    return isBlank(reading.value.text) ? { type: 'nothing' } : { type: 'new', data: { text: reading.value.text } };
  },
  render({ text }: { readonly text: string }, room) {
    const fit = fitLines(text.trimEnd(), {
      characters: charactersIn(room) - GIT_HEADING.length,
      rest: 'git status and git log have the rest',
    });
    return {
      content: [{ type: 'text', text: GIT_HEADING + fit.text }],
      ...(fit.left > 0 ? { cut: `${fit.left} lines of the git snapshot` } : {}),
    };
  },
  keep: ({ text }) => ({ characters: text.length }),
  title: () => 'git snapshot',
  reason: () => 'a window began',
});
