/** Who the figure beside the input line is: told once, since it is there for the person and says nothing to the model. */
import { head } from '../../content/text.js';
import { defineAttachment, isKind } from '../contract.js';
import { member } from '../parts/kept.js';

const KIND = 'companion_intro';
/** Characters of a name. */
const LONGEST = 40;

export const companionIntro = defineAttachment({
  kind: KIND,
  version: 1,
  needs: ['companion'],
  group: 'main',
  wait: 'may',
  trust: 'user',
  told: {
    name: KIND,
    scope: 'chain',
    on: ['attachment'],
    initial: (): { names: readonly string[] } => ({ names: [] }),
    step(state, record) {
      const name = isKind(record, KIND) ? member(record.data, 'name') : undefined;
      return typeof name === 'string' ? { names: [...state.names, name] } : state;
    },
  },
  decode: (data) => (typeof member(data, 'name') === 'string' ? data : undefined),
  async collect({ signal }, told, { companion }) {
    const reading = await companion.read(signal);
    if (reading.type === 'unavailable') return reading;
    const name = head(reading.value.name.trim(), LONGEST);
    return name === '' || told.names.includes(name) ? { type: 'nothing' } : { type: 'new', data: { name } };
  },
  render({ name }: { readonly name: string }) {
    const text = `A small figure named ${name} is drawn beside the person's input line. It is not you and takes no part in this conversation; if the person speaks of it or to it, that is what they mean.`;
    return { content: [{ type: 'text', text }] };
  },
  title: ({ name }) => `companion ${name}`,
  reason: () => 'it is shown beside the input line, and was not introduced yet',
});
