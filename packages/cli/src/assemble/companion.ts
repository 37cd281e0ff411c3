/** The figure beside the input line: off unless the setting `companion` is there. Plain ASCII, and it never moves. */
import { switched } from '../flags/parse.js';
import type { Setup } from './set-up.js';

export type Companion = { readonly name: string; readonly figure: string };

const NAME = 'Footnote';
const FIGURE = '(o_o)';
/** Columns of name and figure. */
const LONGEST = 16;

/** Undefined where there is none: also where nobody looks at an input line. */
export function companionOf({ loaded, flags }: Pick<Setup, 'loaded' | 'flags'>): Companion | undefined {
  const { companion } = loaded.settings;
  if (companion === undefined || switched(flags, 'print') || flags.command !== 'chat') return undefined;
  return { name: plain(companion.name) || NAME, figure: plain(companion.figure) || FIGURE };
}

/** What any terminal draws in one column each. */
const plain = (text = ''): string =>
  text
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, LONGEST);
