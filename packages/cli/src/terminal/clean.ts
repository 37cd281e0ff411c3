/** Makes text of others harmless for a terminal: no escape sequence of theirs is ever obeyed. */

// Sequences that terminals obey: CSI, OSC and other strings, two-character escapes; then what is left of control characters.
const SEQUENCES = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][\s\S]*?(?:\u0007|\u001b\\|$)|\u001b[ -/]*[0-~]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that turn the order of what follows; shown instead of obeyed. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Characters that nobody sees and a program or a model reads: tags, selectors, joiners, fillers. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The same for what a person decides about: also what would not be seen stands there, as `<U+E0041>`. */
export function revealed(text: string): string {
  return clean(text).replaceAll(INVISIBLE, shown);
}

const shown = (character: string): string => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/** Line breaks stay, tabs become spaces, a carriage return begins the line anew as it would on a terminal. */
export function clean(text: string): string {
  return text
    .replaceAll(SEQUENCES, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/^.*\r(?=.)/gm, '')
    .replaceAll('\t', '    ')
    .replaceAll(DIRECTIONS, shown)
    .replaceAll(CONTROLS, '');
}
