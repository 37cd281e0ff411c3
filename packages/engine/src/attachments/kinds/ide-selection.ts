/** What the person has selected in the editor: with their words, and only when it is not what was sent last. */
import { countLines, head } from '../../content/text.js';
import { defineAttachment, lastOf } from '../contract.js';
import type { Selection } from '../ports.js';
import { member } from '../parts/kept.js';
import { charactersIn, fitLines } from '../parts/room.js';

type Data = { readonly selection: Selection; readonly digest: string };

/** Characters of a selection that are sent. */
const MOST = 12_000;

export const ideSelection = defineAttachment({
  kind: 'ide_selection',
  version: 1,
  needs: ['selection', 'digest'],
  group: 'main',
  wait: 'may',
  trust: 'third-party',
  told: lastOf('ide_selection', (data: { readonly digest: string }) => data.digest),
  decode: (data) => (typeof member(data, 'digest') === 'string' ? data : undefined),
  async collect(moment, last, { selection, digest }) {
    // Where a person clicks while the work goes on is nothing that they say.
    if (moment.prompts.length === 0) return { type: 'nothing' };
    const reading = await selection.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const { value } = reading;
    if (value === null || value.text.trim() === '') return { type: 'nothing' };
    const now = digest(JSON.stringify([value.path, value.lines, value.text])).slice(0, 16);
    return now === last.value ? { type: 'nothing' } : { type: 'new', data: { selection: value, digest: now } };
  },
  render({ selection }: Data, room) {
    const intro = `The user has selected ${whereOf(selection)} in the editor; it may or may not bear on what they say:`;
    const characters = Math.min(MOST, charactersIn(room) - intro.length - 1);
    const fit = fitLines(selection.text, { characters, rest: 'reading the file gives all of it' });
    return {
      content: [{ type: 'text', text: `${intro}\n${fit.text}` }],
      ...(fit.left > 0 ? { cut: `${fit.left} lines of the selection` } : {}),
    };
  },
  keep: ({ selection: { path, lines }, digest }) => ({ path: head(path, 1_000), lines, digest }),
  title: ({ selection }) => `selection: ${whereOf(selection)}`,
  reason: ({ selection }) => `${countLines(selection.text)} selected lines, not the ones that were sent last`,
});

function whereOf({ path, lines: [first, last] }: Selection): string {
  return first === last ? `line ${first} of ${path}` : `lines ${first} to ${last} of ${path}`;
}
