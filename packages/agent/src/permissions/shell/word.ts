/** Shell words: what the shell will make of one, when that can be told without running it. */
import type { Assignment, Word, WordPart } from 'unbash';

export type ShellWord = {
  /** As written. */
  readonly text: string;
  /** What the command will get; null when only the run can tell. A pattern stays a pattern. */
  readonly value: string | null;
  /** An unquoted `*`, `?` or `[…]` stands in it. */
  readonly glob: boolean;
  /** The likeliest value, for rules that forbid. */
  readonly guess: string;
};

/** A word that only the run can tell: what `xargs` appends, for one. */
export const unknownWord: ShellWord = { text: '…', value: null, glob: false, guess: '' };

type Piece = { readonly value: string; readonly glob: boolean } | null;

const plain = (value: string): Piece => ({ value, glob: false });

function literal(text: string, value: string): Piece {
  // A backslash is how commands are disguised (`\rm`, `r\m`): not worth trusting.
  return text === value ? plain(value) : null;
}

function piece(part: WordPart): Piece {
  switch (part.type) {
    case 'Literal':
      return /[=:]~/.test(part.value) ? null : literal(part.text, part.value);
    case 'SingleQuoted':
      return plain(part.value);
    case 'DoubleQuoted': {
      const inner = part.parts.map((child) => (child.type === 'Literal' ? literal(child.text, child.value) : null));
      return inner.some((child) => child === null) ? null : plain(inner.map((child) => child?.value ?? '').join(''));
    }
    case 'Glob':
      return { value: part.text, glob: true };
    default:
      return null;
  }
}

/** `~` and `~/x` become the home folder; `~user`, `~+` and quoted mixtures are not resolved. */
function expandTilde(value: string, text: string, home: string): string | null {
  if (!text.startsWith('~')) return value;
  if (text === '~') return home;
  return text.startsWith('~/') ? home + value.slice(1) : null;
}

/** Reads one word. Never throws. */
export function readWord(word: Word, home: string): ShellWord {
  const { text } = word;
  const unknown = { text, value: null, glob: false, guess: word.value };
  if (/^\\[()!;]$/.test(text)) return { text, value: text.slice(1), glob: false, guess: word.value };
  const pieces = word.parts?.map(piece) ?? [/[=:]~/.test(text) ? null : literal(text, word.value)];
  let value = '';
  let glob = false;
  for (const one of pieces) {
    if (one === null) return unknown;
    value += one.value;
    glob ||= one.glob;
  }
  const expanded = expandTilde(value, text, home);
  return expanded === null ? unknown : { text, value: expanded, glob, guess: word.value };
}

/** `name=value` among the arguments of a command. */
export function readAssignmentWord(assignment: Assignment, home: string): ShellWord {
  const value = assignment.value.type === 'Word' && assignment.index === undefined ? readWord(assignment.value, home) : null;
  const known = value === null || value.value === null || value.glob ? null : `${assignment.name}=${value.value}`;
  return { text: assignment.text, value: known, glob: false, guess: assignment.text };
}
