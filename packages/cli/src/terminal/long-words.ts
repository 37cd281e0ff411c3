/** Breaks words that are longer than a screen: base64, minified code. The terminal library takes quadratic time over them. */

/** Characters of a word that the library wraps in no time. */
const LONG = 500;
const LONG_WORD = new RegExp(`[^\\s\\u001b]{${LONG + 1},}`, 'g');

/** A line break after every `width` characters of words that are too long; everything else stays. */
export function breakLongWords(text: string, width: number): string {
  return text.length <= LONG ? text : text.replaceAll(LONG_WORD, (word) => piecesOf(word, Math.max(width, 1)).join('\n'));
}

function piecesOf(word: string, size: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < word.length;) {
    let to = Math.min(from + size, word.length);
    // Not between the halves of one character.
    if (to < word.length && /[\udc00-\udfff]/.test(word.charAt(to))) to++;
    pieces.push(word.slice(from, to));
    from = to;
  }
  return pieces;
}
