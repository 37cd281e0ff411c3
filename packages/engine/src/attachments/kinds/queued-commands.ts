/** Words typed while the agent worked: the user's own, so they are never cut and stand outside of reminders. */
import type { Content } from '../../content/content.js';
import { firstLine } from '../../content/text.js';
import { defineAttachment } from '../contract.js';
import { deliveredFold, deliveredOf, nextOf } from '../parts/delivered.js';

type Item = { readonly id: string; readonly content: readonly Content[] };
type Data = { readonly items: readonly Item[] };

const LABEL = 'The user typed this while the work went on:';

export const queuedCommands = defineAttachment({
  kind: 'queued_commands',
  version: 1,
  needs: ['steered'],
  group: 'thread',
  wait: 'must',
  trust: 'user',
  delivery: 'after-results',
  wrap: 'none',
  told: deliveredFold('queued_commands'),
  decode: deliveredOf,
  async collect(moment, told, { steered }) {
    const reading = await steered.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const items = nextOf(reading.value, told, { characters: Number.MAX_SAFE_INTEGER, lengthOf: () => 0 });
    return items.length === 0 ? { type: 'nothing' } : { type: 'new', data: { items } };
  },
  render: ({ items }: Data) => ({ content: items.flatMap(({ content }) => labelled(content)) }),
  keep: ({ items }) => ({ ids: items.map(({ id }) => id) }),
  title: ({ items }) => `typed meanwhile: ${firstLine(firstWords(items), 60)}`,
  reason: () => 'the user typed while the work went on',
});

/** The label shares a block with the first words. */
function labelled(content: readonly Content[]): readonly Content[] {
  const [first, ...rest] = content;
  if (first?.type === 'text') return [{ type: 'text', text: `${LABEL}\n\n${first.text}` }, ...rest];
  return [{ type: 'text', text: LABEL }, ...content];
}

function firstWords(items: readonly Item[]): string {
  const text = items.flatMap(({ content }) => content).find((block) => block.type === 'text');
  return text?.type === 'text' ? text.text : 'an image';
}
