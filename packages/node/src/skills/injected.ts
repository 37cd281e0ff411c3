/** Commands in the text of a skill, whose output stands in their place: `` !`git status` `` and fences that begin with ` ```! `. */

export type TextPart =
  | { readonly type: 'text'; readonly text: string }
  /** `line`: in the body, from 1. */
  | { readonly type: 'command'; readonly command: string; readonly line: number };

/** A fence (up to its end, or the text's), or a span behind white space. */
const codes = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))(!?)[^\n]*\n([^]*?)(?:^[ \t]*\1[ \t]*$|$(?![^]))|(?<=^|\s)!`([^`\n]+)`/gm;

/** In order. In a fence of another kind nothing is a command: there it is written about. */
export function partsOf(body: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let [at, line, counted] = [0, 1, 0];
  for (const match of body.matchAll(codes)) {
    const [whole, , mark, fenced, span] = match;
    const command = mark === '!' ? fenced : span;
    if (command === undefined || command.trim() === '') continue;
    line += body.slice(counted, match.index).split('\n').length - 1;
    counted = match.index;
    if (match.index > at) parts.push({ type: 'text', text: body.slice(at, match.index) });
    parts.push({ type: 'command', command: command.trim(), line });
    at = match.index + whole.length;
  }
  if (at < body.length) parts.push({ type: 'text', text: body.slice(at) });
  return parts;
}
