/** Patterns of `Bash(…)` rules. They are matched word by word against one simple command, never against a line as a whole. */
import path from 'node:path';
import { parse } from 'unbash';
import { readWord } from './word.js';
import type { ShellWord } from './word.js';

type WordPattern =
  | { readonly type: 'word'; readonly value: string }
  | { readonly type: 'glob'; readonly match: RegExp }
  | { readonly type: 'some' };

export type CommandPattern = {
  /** The whole text between the brackets; a command line that is exactly this is what the rule names. */
  readonly exact: string;
  /** Null when the text is not one plain command: then only `exact` counts. Empty and open: every command. */
  readonly words: readonly WordPattern[] | null;
  /** More words may follow. */
  readonly open: boolean;
};

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const globOf = (text: string) => new RegExp(`^${text.split('*').map(escape).join('[^]*')}$`);

function wordsOf(text: string): readonly ShellWord[] | null {
  const script = parse(text);
  const statement = script.commands[0];
  const command = statement?.command;
  if (script.commands.length !== 1 || (script.errors?.length ?? 0) > 0 || statement?.background === true) return null;
  if (command?.type !== 'Command' || command.name === undefined || command.prefix.length > 0 || command.redirects.length > 0) return null;
  const words = [command.name, ...command.args].map((word) => (word.type === 'Word' ? readWord(word, '~') : null));
  return words.every((word) => word !== null) ? words : null;
}

function wordPattern(word: ShellWord): WordPattern | null {
  if (word.text === '*') return { type: 'some' };
  // In rules only `*` is a wildcard; `?` and `[…]` stand for themselves.
  if (word.text.includes('*') && word.glob) return { type: 'glob', match: globOf(word.text) };
  if (word.glob) return { type: 'word', value: word.text };
  return word.value === null ? null : { type: 'word', value: word.value };
}

/** `npm run test:*` and `npm run test *`: these words, then any. `ls*`: any command that begins so. Without `*`: exactly this. */
export function commandPattern(spec: string): CommandPattern {
  const exact = spec.trim();
  if (exact === '*' || exact === ':*') return { exact, words: [], open: true };
  const open = exact.endsWith(':*') || exact.endsWith('*');
  const body = exact.endsWith(':*') ? exact.slice(0, -2) : exact.replace(/\s\*$/, '');
  const words = wordsOf(body)?.map(wordPattern) ?? null;
  return words !== null && words.every((word) => word !== null) ? { exact, words, open } : { exact, words: null, open: false };
}

function matchFrom(patterns: readonly WordPattern[], values: readonly (string | null)[], open: boolean): boolean {
  const [first, ...rest] = patterns;
  if (first === undefined) return open || values.length === 0;
  if (values.length === 0) return false;
  if (first.type === 'some') return values.some((_, index) => matchFrom(rest, values.slice(index + 1), open));
  const [value, ...others] = values;
  if (value === null || value === undefined) return false;
  const fits = first.type === 'word' ? value === first.value : first.match.test(value);
  return fits && matchFrom(rest, others, open);
}

/** For rules that allow: what a word will be must be known up to the last word that the pattern names. */
export function grants(pattern: CommandPattern, words: readonly ShellWord[]): boolean {
  const values = words.map((word) => (word.glob ? null : word.value));
  return pattern.words !== null && (values[0] ?? null) !== null && matchFrom(pattern.words, values, pattern.open);
}

/** For rules that forbid or ask: the likeliest reading counts, and a program counts under its bare name too. */
export function concerns(pattern: CommandPattern, words: readonly ShellWord[]): boolean {
  if (pattern.words === null) return false;
  const values = words.map((word) => word.value ?? word.guess);
  const [name, ...rest] = values;
  if (name === undefined) return false;
  return matchFrom(pattern.words, values, pattern.open) || matchFrom(pattern.words, [path.basename(name), ...rest], pattern.open);
}
