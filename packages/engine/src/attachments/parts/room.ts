/** Room: what a kind may fill, in the unit that it can count without a tokenizer. */
import { headLines } from '../../content/text.js';

/** Low for prose and code, so that a text that fits by this measure fits by any. */
const CHARACTERS_PER_TOKEN = 3;

/** Characters that surely fit into so many tokens. */
export function charactersIn(room: { readonly tokens: number }): number {
  return Math.max(0, Math.floor(room.tokens)) * CHARACTERS_PER_TOKEN;
}

/** A text inside a room, whole lines only, with a last line that says what is missing. `rest`: how to get it. */
export function fitLines(
  text: string,
  options: { readonly characters: number; readonly rest: string },
): { readonly text: string; readonly left: number } {
  if (text.length <= options.characters) return { text, left: 0 };
  const note = (left: number) => `[${left} more ${left === 1 ? 'line' : 'lines'} left out for want of room; ${options.rest}]`;
  const { text: start, left } = headLines(text, options.characters - note(99_999).length - 1);
  return { text: start === '' ? note(left) : `${start}\n${note(left)}`, left };
}
