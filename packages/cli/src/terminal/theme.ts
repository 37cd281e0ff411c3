/** How things look: styles by meaning. Without colour, what matters is still told by words and signs. */

export type Style = (text: string) => string;

export type Theme = {
  readonly dim: Style;
  readonly bold: Style;
  readonly italic: Style;
  readonly underline: Style;
  readonly strike: Style;
  /** Names, prompts, what is chosen. */
  readonly accent: Style;
  readonly code: Style;
  readonly good: Style;
  readonly bad: Style;
  readonly warn: Style;
};

const sgr =
  (open: number, close: number): Style =>
  (text) =>
    text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`;
const plain: Style = (text) => text;
const weights = { dim: sgr(2, 22), bold: sgr(1, 22), italic: sgr(3, 23), underline: sgr(4, 24), strike: sgr(9, 29) };
const colour = (open: number): Style => sgr(open, 39);

/** The terminal's own sixteen colours, so that its scheme decides. Light grounds get the darker of each pair. */
const DARK: Theme = { ...weights, accent: colour(96), code: colour(36), good: colour(92), bad: colour(91), warn: colour(93) };
const LIGHT: Theme = { ...weights, accent: colour(34), code: colour(35), good: colour(32), bad: colour(31), warn: colour(33) };
const COLOURLESS: Theme = { ...weights, accent: weights.bold, code: plain, good: plain, bad: weights.bold, warn: plain };

/** No escape sequence at all: for output that is no terminal. */
export const PLAIN: Theme = {
  dim: plain,
  bold: plain,
  italic: plain,
  underline: plain,
  strike: plain,
  accent: plain,
  code: plain,
  good: plain,
  bad: plain,
  warn: plain,
};

/**
 * `NO_COLOR` (not empty) takes all colour away; `SIDENOTE_THEME` chooses `light` or `dark`; else the ground that the
 * terminal tells in `COLORFGBG` decides, and dark is taken where it tells nothing.
 */
export function themeOf(env: Readonly<Record<string, string | undefined>>): Theme {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return COLOURLESS;
  if (env['SIDENOTE_THEME'] === 'light') return LIGHT;
  if (env['SIDENOTE_THEME'] === 'dark') return DARK;
  const ground = env['COLORFGBG']?.split(';').at(-1);
  return ground === '7' || ground === '15' ? LIGHT : DARK;
}
