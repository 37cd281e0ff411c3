/** Pieces of the transcript as lines: prompts, injections, tools, notices. Pure, so that a screen is a function of what happened. */
import type { ToolOutcome } from '@sidenote/engine';
import { clean } from './clean.js';
import { diffLines, hunksOf } from './diff-lines.js';
import type { Theme } from './theme.js';
import { cutLine, wrapLine } from './view.js';

/** Lines of output that a folded tool call shows. */
const FOLDED = 3;
/** Lines of a diff that a folded tool call shows. */
const FOLDED_DIFF = 16;
/** Lines of a prompt that are shown folded. */
const FOLDED_PROMPT = 30;
const KEY = 'ctrl+o';

export type Look = {
  readonly width: number;
  readonly theme: Theme;
  readonly expanded: boolean;
  /** Printed once and for all: no key is named that would unfold it. */
  readonly fixed?: boolean;
};

/** Words of the person. What was pasted may be a whole file, and one line of it too. */
export function promptLines(words: string, look: Look): string[] {
  const { theme, width, expanded } = look;
  const most = width * FOLDED_PROMPT;
  const lines = clean(words)
    .split('\n')
    .map((line) => (expanded || line.length <= most ? line : `${line.slice(0, most).toWellFormed()}…`))
    .map((line, index) => theme.accent(`${index === 0 ? '›' : ' '} ${line}`));
  return ['', ...folded(lines, FOLDED_PROMPT, look), ''];
}

export type Injection = {
  readonly title: string;
  /** What the model got; undefined when it can't be looked up. */ readonly text: string | undefined;
};

/** What was put beside someone's words or a result: all titles, one below the other with their texts when expanded. */
export function injectionLines(injections: readonly Injection[], { theme, width, expanded }: Look): string[] {
  if (!expanded) return [theme.dim(`◇ ${clean(injections.map(({ title }) => title).join(' · '))}`)];
  return injections.flatMap(({ title, text }) => [
    theme.dim(`◇ ${clean(title)}`),
    ...(text === undefined
      ? []
      : clean(text)
          .split('\n')
          .flatMap((row) => behind('  │ ', row, width).map(theme.dim))),
  ]);
}

export type ToolState = { readonly type: 'running'; readonly progress: string } | { readonly type: 'ended'; readonly outcome: ToolOutcome };

/** A call: its title, and of what came of it as much as fits; all of it when expanded. */
export function toolLines(title: string, state: ToolState, look: Look): string[] {
  const { theme, width, expanded } = look;
  const failed = state.type === 'ended' && state.outcome.isError === true;
  const sign = state.type === 'running' ? theme.dim('○') : failed ? theme.bad('✗') : theme.good('●');
  const [first = '', ...rest] = clean(title).split('\n');
  const head = expanded
    ? [`${sign} ${first}`, ...rest.map((line) => `  ${line}`)]
    : [cutLine(`${sign} ${first}${rest.length > 0 ? ' …' : ''}`, width)];
  if (state.type === 'running') return [...head, ...indented(lastLines(state.progress, FOLDED), look)];
  const hunks = hunksOf(state.outcome.display);
  if (hunks !== undefined)
    return [
      ...head,
      ...folded(
        diffLines(hunks, theme).map((line) => `  ${line}`),
        FOLDED_DIFF,
        look,
      ),
    ];
  const text = clean(textOf(state.outcome)).trimEnd();
  const rows = text === '' ? [] : text.split('\n');
  return [...head, ...(failed ? foldedFront(wrapped(rows, look), look) : folded(indented(rows, look), FOLDED, look))];
}

function textOf({ content }: ToolOutcome): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}

function indented(lines: readonly string[], { theme, expanded, width }: Look): string[] {
  return lines.flatMap((line) => (expanded ? behind('  ', line, width) : [cutLine(`  ${line}`, width)]).map(theme.dim));
}

/** Why something failed or was refused often stands at the end of its line: up to three rows of each are shown. */
function wrapped(lines: readonly string[], { theme, expanded, width }: Look): string[] {
  const room = Math.max(1, width - 2);
  return lines.flatMap((line) => behind('  ', expanded ? line : cutLine(line, FOLDED * room), width).map(theme.dim));
}

/** A line behind a mark, which all lines that it takes have. */
export function behind(mark: string, line: string, width: number): string[] {
  return wrapLine(line, Math.max(1, width - mark.length)).map((part) => `${mark}${part}`);
}

function folded(lines: readonly string[], most: number, look: Look): string[] {
  if (look.expanded || lines.length <= most + 1) return [...lines];
  return [...lines.slice(0, most), leftOut(lines.length - most, look)];
}

/** What failed says how in its first line, and why in its last ones. */
function foldedFront(lines: readonly string[], look: Look): string[] {
  if (look.expanded || lines.length <= 2 * FOLDED + 1) return [...lines];
  return [...lines.slice(0, 1), leftOut(lines.length - 2 * FOLDED, look), ...lines.slice(1 - 2 * FOLDED)];
}

function leftOut(count: number, { theme, fixed }: Look): string {
  return theme.dim(`  … ${count} more lines${fixed === true ? '' : ` (${KEY})`}`);
}

function lastLines(text: string, most: number): string[] {
  const trimmed = clean(text).trimEnd();
  return trimmed === '' ? [] : trimmed.split('\n').slice(-most);
}

/** Something the person should know. */
export function noticeLines(text: string, level: 'info' | 'warning' | 'error', { theme }: Look): string[] {
  const style = { info: theme.dim, warning: theme.warn, error: theme.bad }[level];
  const sign = { info: '·', warning: '!', error: '✗' }[level];
  return clean(text)
    .split('\n')
    .map((line, index) => style(`${index === 0 ? sign : ' '} ${line}`));
}

/** Output of a command of the client: as it stands. */
export function plainLines(text: string): string[] {
  return [...clean(text).split('\n'), ''];
}
