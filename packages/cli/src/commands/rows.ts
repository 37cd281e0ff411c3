/** Rows of lists that fit a screen: words go on below themselves, or end in an ellipsis. */
import { head } from '@sidenote/engine';

/** The line, or its beginning and an ellipsis. */
export function fit(line: string, width: number): string {
  return line.length > width ? `${head(line, Math.max(0, width - 1))}…` : line;
}

/** Breaks a row at spaces, and goes on at the column `indent`. A word without end stays whole. */
export function broken(row: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  let rest = row;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    if (at <= indent) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = ' '.repeat(indent) + rest.slice(at).trimStart();
  }
  return [...lines, rest];
}

/** A name and what is said of it. On a narrow screen the words go on under the name, four columns in. */
export function namedRow(
  [name, says]: readonly [name: string, says: string],
  at: { readonly column: number; readonly width: number },
): string[] {
  const beside = at.column * 2 <= at.width;
  return broken(`${beside ? name.padEnd(at.column - 2) : name}  ${says}`.trimEnd(), at.width, beside ? at.column : 4);
}
