/** How the model is to answer: a line while the system prompt holds the style, its text where the style changed in mid-session. */
import { defineAttachment, isKind } from '../contract.js';
import { member } from '../parts/kept.js';
import { charactersIn, fitLines } from '../parts/room.js';

const KIND = 'output_style';

/** Name of the section of the system prompt that holds a style. */
export const STYLE_SECTION = 'output-style';

type Told = { readonly name: string; readonly digest: string };
type Data = Told & {
  readonly text: string;
  /** `system`: the prompt holds it. `whole`: it does not. `none`: a style was left. */
  readonly how: 'system' | 'whole' | 'none';
};

export const outputStyle = defineAttachment({
  kind: KIND,
  version: 1,
  needs: ['outputStyle', 'digest'],
  group: 'main',
  wait: 'may',
  trust: 'user',
  again: 'again',
  told: {
    name: KIND,
    scope: 'window',
    on: ['attachment'],
    initial: (): { last: Told | undefined } => ({ last: undefined }),
    step(state, record) {
      if (!isKind(record, KIND)) return state;
      const [name, digest] = [member(record.data, 'name'), member(record.data, 'digest')];
      return typeof name === 'string' && typeof digest === 'string' ? { last: { name, digest } } : state;
    },
  },
  decode: (data) => (typeof member(data, 'name') === 'string' && typeof member(data, 'digest') === 'string' ? data : undefined),
  async collect({ system = [], signal }, told, { outputStyle: style, digest }) {
    const reading = await style.read(signal);
    if (reading.type === 'unavailable') return reading;
    const { name, text } = reading.value;
    const held = system.find((section) => section.name === STYLE_SECTION)?.text ?? '';
    const now: Told = { name, digest: digest(text) };
    const { last } = told;
    const isKnown = last === undefined ? text === '' && held === '' : last.digest === now.digest && last.name === name;
    if (isKnown) return { type: 'nothing' };
    const data: Data = { ...now, text, how: text === '' ? 'none' : held === text ? 'system' : 'whole' };
    return { type: 'new', data };
  },
  render({ name, text, how }, room) {
    if (how === 'none')
      return said(
        'No output style is set any more: answer in the default way, whatever the system prompt or earlier notes say of a style.',
      );
    if (how === 'system') return said(`The output style ${name} is in force: answer as the system prompt says of it.`);
    const { text: fitted, left } = fitLines(text, { characters: charactersIn(room), rest: 'the rest of the style is not told' });
    const whole = said(`From now on the output style ${name} is in force, in place of any other:\n\n${fitted}`);
    return left === 0 ? whole : { ...whole, cut: `${left} lines of the output style` };
  },
  keep: ({ name, digest }) => ({ name, digest }),
  title: ({ name, how }) => (how === 'none' ? 'no output style' : `output style ${name}`),
  reason: ({ how }) =>
    how === 'none'
      ? 'the style was left'
      : how === 'system'
        ? 'not told yet in this window'
        : 'the system prompt holds another style, or none',
});

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
