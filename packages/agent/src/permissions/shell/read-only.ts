/** Whether a command only reads, and which paths it reads. */
import { findWords, gitReaders, gitRisks, readOnly } from './read-only-table.js';
import type { ReadOnly } from './read-only-table.js';
import type { ShellWord } from './word.js';

/** `paths` are to be checked; `recursive`: it also reads what lies below them. Null: not known to only read. */
export type Reading = { readonly paths: readonly ShellWord[]; readonly recursive: boolean; readonly changesFolder?: boolean };

const nothing: Reading = { paths: [], recursive: false };
const at = (value: string, word: ShellWord): ShellWord => ({ ...word, value, guess: value });

/** Attached values that could be a path (`-f/etc/x`) are not told apart from letters: refused. */
function shortOk(value: string, letters: string): boolean {
  return [...value.slice(1)].every((letter) => letters.includes(letter) || /\d/.test(letter));
}

function byTable(rule: ReadOnly, words: readonly ShellWord[]): Reading | null {
  const paths: ShellWord[] = [];
  let pattern = rule.pattern === true;
  let ended = false;
  let recursive = rule.recursive === true;
  for (const word of words) {
    const value = word.value;
    if (value === null) return null;
    if (!ended && value === '--') ended = true;
    else if (!ended && value.startsWith('--')) {
      const [name = '', ...rest] = value.slice(2).split('=');
      if (!(rule.long ?? []).includes(name)) return null;
      if (name === 'regexp' || name === 'files') pattern = false;
      if (name !== 'regexp' && rest.length > 0) paths.push(at(rest.join('='), word));
      if (rule.recursive instanceof RegExp && rule.recursive.test(value)) recursive = true;
    } else if (!ended && value.startsWith('-') && value !== '-') {
      if (!shortOk(value, rule.short)) return null;
      if (/[ef]/.test(value)) pattern = false;
      if (rule.recursive instanceof RegExp && rule.recursive.test(value)) recursive = true;
    } else if (pattern) pattern = false;
    else paths.push(word);
  }
  if (rule.most !== undefined && paths.length > rule.most) return null;
  if (rule.operands === 'none' && paths.length > 0) return null;
  return rule.operands === 'text' ? nothing : { paths: paths.filter((word) => word.value !== '-'), recursive };
}

function find(words: readonly ShellWord[]): Reading | null {
  const paths = words.filter((word) => !findWords.has(word.value ?? ''));
  return paths.some((word) => word.value === null || word.value.startsWith('-')) ? null : { paths, recursive: false };
}

function git(words: readonly ShellWord[]): Reading | null {
  const [command, ...rest] = words;
  const name = command?.value ?? '';
  if (name === '--version') return rest.length === 0 ? nothing : null;
  const reader = Object.hasOwn(gitReaders, name) ? gitReaders[name] : undefined;
  if (reader === undefined || rest.some((word) => word.value === null)) return null;
  const flags = rest.filter((word) => word.value?.startsWith('-'));
  const names = rest.filter((word) => !word.value?.startsWith('-'));
  const risky = ({ value }: ShellWord) => {
    const flag = (value ?? '').split('=')[0] ?? '';
    return flag.startsWith('--') && flag !== '--' && gitRisks.some((risk) => risk.startsWith(flag) || flag.startsWith(risk));
  };
  if (flags.some(risky) || flags.some(({ value }) => /^-[^-].*(\/|\.\.)|^-O/.test(value ?? ''))) return null;
  if (reader.flags !== undefined && !flags.every(({ value }) => reader.flags?.test(value ?? ''))) return null;
  if (reader.listing !== undefined && names.length > 0 && !flags.some(({ value }) => reader.listing?.test(value ?? ''))) return null;
  return { paths: names, recursive: false };
}

/** Only `sed -n '10,20p' file`: other scripts of sed can write files and run commands. */
function sed(words: readonly ShellWord[]): Reading | null {
  const [quiet, script, ...paths] = words;
  if (quiet?.value !== '-n' || !/^\d+(,(\d+|\$))?p$/.test(script?.value ?? '')) return null;
  return paths.some((word) => word.value === null || word.value.startsWith('-')) ? null : { paths, recursive: false };
}

/** Reads a command that runs nothing else (`unwrap` says so); null when it is not known to only read. */
export function readingOf(words: readonly ShellWord[]): Reading | null {
  const [command, ...rest] = words;
  if (command === undefined || command.value === null || command.glob) return null;
  const name = command.value;
  if (name === 'cd')
    return rest.length === 1 && !rest[0]?.value?.startsWith('-') ? { paths: rest, recursive: false, changesFolder: true } : null;
  if (name === 'find') return find(rest);
  if (name === 'git') return git(rest);
  if (name === 'set') return nothing;
  if (name === 'test' || name === '[') return rest.every((word) => word.value !== null) ? { paths: rest, recursive: false } : null;
  if (name === 'sed') return sed(rest);
  if (name === 'command') return rest.every((word) => word.value !== null && !word.glob) ? nothing : null;
  if (name === 'date' && rest.some((word) => word.value === null || !/^[-+]/.test(word.value))) return null;
  const rule = Object.hasOwn(readOnly, name) ? readOnly[name] : undefined;
  return rule === undefined ? null : byTable(rule, rest);
}
