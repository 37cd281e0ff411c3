/** A check on the parser: no part of a script may lie outside the words that it found, except known operators and keywords. */
import { forEachChild } from 'unbash';
import type { Script, SyntaxNode } from 'unbash';

const between =
  /^(\s|\\\n|#[^\n]*(?=\n|$)|[;&|!{}()]|\[\[|\]\]|\b(if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|time|-p|--)\b)*$/;
const leaves = new Set(['Word', 'Assignment', 'Redirect', 'HereString', 'HereDoc', 'ArithmeticCommand', 'TestCommand', 'Time', 'Negation']);

/** Whether text of `script` stands outside everything that the parser made of it. Nested scripts are checked on their own. */
export function uncovered(script: Script, source: string): boolean {
  const spans: { readonly pos: number; readonly end: number }[] = [];
  let groups = 0;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Subshell' || node.type === 'Function' || node.type === 'Case' || node.type === 'ArithmeticFor') groups += 1;
    if (node.type === 'HereDoc') spans.push(node.body, ...(node.closing === undefined ? [] : [node.closing]));
    if (leaves.has(node.type)) spans.push(node);
    else forEachChild(node, visit);
  };
  forEachChild(script, visit);
  spans.sort((a, b) => a.pos - b.pos);
  let at = script.pos;
  const gaps: string[] = [];
  for (const { pos, end } of spans) {
    if (pos > at) gaps.push(source.slice(at, pos));
    at = Math.max(at, end);
  }
  gaps.push(source.slice(at, script.end));
  return gaps.some((gap) => !between.test(gap) || (groups === 0 && /[()]/.test(gap.replace(/#[^\n]*/g, ''))));
}
