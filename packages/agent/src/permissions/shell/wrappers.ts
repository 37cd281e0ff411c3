/** Commands that run other commands: what is inside them is what has to be judged. */
import { isHarmlessExport } from './variables.js';
import { unknownWord } from './word.js';
import type { ShellWord } from './word.js';

export type Unwrapped =
  /** An ordinary command. */
  | { readonly type: 'plain' }
  /** It runs these commands and does nothing else. */
  | { readonly type: 'inner'; readonly commands: readonly (readonly ShellWord[])[] }
  /** Besides what it does itself (`rest`), it runs these. */
  | { readonly type: 'also'; readonly rest: readonly ShellWord[]; readonly commands: readonly (readonly ShellWord[])[] }
  /** It runs this as shell source. */
  | { readonly type: 'script'; readonly source: string }
  | { readonly type: 'unresolved'; readonly why: string };

/** Options of a wrapper: `flags` stand alone, `valued` take the next word. Any other option leaves it unresolved. */
type Options = { readonly flags?: RegExp; readonly valued?: RegExp; readonly skip?: number };

const simple: Readonly<Record<string, Options>> = {
  builtin: {},
  command: { flags: /^-p$/ },
  ionice: { flags: /^-(c\d|n\d|t)$/, valued: /^-[cn]$/ },
  nice: { flags: /^(-n-?\d+|-\d+|--adjustment=-?\d+)$/, valued: /^-n$/ },
  nohup: {},
  setsid: { flags: /^(-[cfw]|--wait|--fork|--ctty)$/ },
  stdbuf: { flags: /^(-[ioe](L|\d+[KM]?)|--(input|output|error)=(L|\d+[KM]?))$/, valued: /^-[ioe]$/ },
  time: { flags: /^-p$/ },
  timeout: {
    flags: /^(-v|--verbose|--preserve-status|--foreground|--kill-after=[\d.]+[smhd]?|--signal=\w+|-[ks]\w+)$/,
    valued: /^-[ks]$/,
    skip: 1,
  },
  exec: {},
};
const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);
/** Nothing inside these is looked at: a person decides. */
const opaque = new Set([
  'sudo', 'doas', 'su', 'pkexec', 'runuser', 'chroot', 'unshare', 'nsenter', 'busybox', 'watch', 'parallel', 'flock', 'script', 'strace',
  'ltrace', 'entr', 'trap', 'alias', 'enable', 'hash', 'complete', 'compgen', 'bind', 'mapfile', 'readarray', 'let', 'declare', 'typeset',
  'local', 'readonly', 'export', 'read', 'unset', 'getopts', 'fc', 'shopt', 'set', 'coproc', 'setarch', 'systemd-run', 'at', 'batch', 'crontab',
]); // prettier-ignore

const inner = (words: readonly ShellWord[], why: string): Unwrapped =>
  words.length === 0 ? { type: 'unresolved', why } : { type: 'inner', commands: [words] };
const text = (word: ShellWord | undefined) => (word === undefined || word.glob ? null : word.value);

function afterOptions(words: readonly ShellWord[], options: Options): readonly ShellWord[] | null {
  let at = 1;
  for (; at < words.length; at += 1) {
    const value = text(words[at]);
    if (value === null) return null;
    if (value === '--') {
      at += 1;
      break;
    }
    if (options.valued?.test(value)) at += 1;
    else if (value.startsWith('-') && !options.flags?.test(value)) return null;
    else if (!value.startsWith('-')) break;
  }
  return words.slice(at + (options.skip ?? 0));
}

function env(words: readonly ShellWord[]): Unwrapped {
  const rest = afterOptions(words, { flags: /^(-i|-|--ignore-environment|-u\w+|--unset=\w+)$/, valued: /^-u$/ });
  if (rest === null) return { type: 'unresolved', why: 'its options to env are not understood' };
  let at = 0;
  for (; at < rest.length; at += 1) {
    const match = /^(\w+)=/.exec(rest[at]?.value ?? rest[at]?.guess ?? '');
    if (match === null) break;
    if (!isHarmlessExport(match[1] ?? '')) return { type: 'unresolved', why: `it sets the variable ${match[1]}` };
  }
  return inner(rest.slice(at), 'it prints the environment');
}

function xargs(words: readonly ShellWord[]): Unwrapped {
  const rest = afterOptions(words, {
    flags: /^(-[0rtx]+|--null|--no-run-if-empty|--verbose|-[nPL]\d+|--max-(args|procs|lines)=\d+|-I\S+|-d\S+|--delimiter=.*)$/,
    valued: /^-[nPLId]$/,
  });
  if (rest === null || rest.length === 0) return { type: 'unresolved', why: 'what xargs runs is not clear' };
  const replaces = words.slice(0, words.length - rest.length).some((word) => word.value?.startsWith('-I'));
  const first = rest[0] ?? unknownWord;
  // With -I any word may become anything; only the program must stand.
  const seen = replaces ? [first, ...rest.slice(1).map((word) => ({ ...word, value: null }))] : rest;
  return replaces && !/^[a-z]+$/.test(first.value ?? '')
    ? { type: 'unresolved', why: 'what xargs runs is not clear' }
    : { type: 'inner', commands: [[...seen, unknownWord]] };
}

function find(words: readonly ShellWord[]): Unwrapped {
  const commands: (readonly ShellWord[])[] = [];
  const own = words.slice(0, 1);
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? unknownWord;
    if (!/^-(exec|execdir|ok|okdir)$/.test(word.value ?? word.guess)) {
      own.push(word);
      continue;
    }
    const end = words.findIndex((word, index) => index > at && (word.value === ';' || word.value === '+'));
    if (end < 0) return { type: 'unresolved', why: 'what find runs is not clear' };
    commands.push(words.slice(at + 1, end).map((word) => (word.guess.includes('{}') ? { ...word, value: null } : word)));
    at = end;
  }
  return commands.length === 0 ? { type: 'plain' } : { type: 'also', rest: own, commands };
}

function shell(words: readonly ShellWord[]): Unwrapped {
  const [, flag, source] = words;
  if (words.length === 1) return { type: 'unresolved', why: 'a shell reads its commands from elsewhere' };
  const options = text(flag);
  if (options === null) return { type: 'unresolved', why: 'what the shell runs is not clear' };
  if (!options.startsWith('-') && !options.startsWith('+')) return { type: 'plain' };
  const script = text(source);
  if (!/^-[eux]*l?c$/.test(options) || script === null) return { type: 'unresolved', why: 'what the shell runs is not clear' };
  return { type: 'script', source: script };
}

/** Options of git by which it runs programs, and commands of git that do. */
function git(words: readonly ShellWord[]): Unwrapped {
  const first = text(words[1]);
  if (words.length > 1 && first === null) return { type: 'unresolved', why: 'what git runs is not clear' };
  if (first?.startsWith('-') && !/^(--version|--help|--no-pager|-P)$/.test(first))
    return { type: 'unresolved', why: `git ${first} changes what git runs` };
  if (first === '--no-pager' || first === '-P') return { type: 'inner', commands: [[words[0] ?? unknownWord, ...words.slice(2)]] };
  const risky = words.slice(2).map((word) => word.value ?? word.guess);
  const runs =
    (first === 'bisect' && risky.includes('run')) ||
    (first === 'submodule' && risky.includes('foreach')) ||
    first === 'filter-branch' ||
    (first === 'rebase' && risky.some((word) => /^(-x|--ex)/.test(word))) ||
    (first === 'difftool' && risky.some((word) => /^(-x|--ext)/.test(word))) ||
    (first === 'grep' && risky.some((word) => /^(-O|--op)/.test(word))) ||
    risky.some((word) => /^(--upload-p|--receive-p|--exec|ext::)/.test(word));
  return runs ? { type: 'unresolved', why: 'it makes git run another program' } : { type: 'plain' };
}

/** What a command runs besides, or instead of, itself. */
export function unwrap(words: readonly ShellWord[]): Unwrapped {
  const name = text(words[0])?.replace(/^\/(usr\/)?bin\//, '') ?? null;
  if (name === null) return { type: 'unresolved', why: 'the command is only known when it runs' };
  if (name === 'set' && words.slice(1).every((word) => /^(-[eux]+o?|pipefail)$/.test(text(word) ?? ''))) return { type: 'plain' };
  if (opaque.has(name)) return { type: 'unresolved', why: `${name} always needs a word from you` };
  if (name === 'env') return env(words);
  if (name === 'xargs') return xargs(words);
  if (name === 'find') return find(words);
  if (name === 'git') return git(words);
  if (shells.has(name)) return shell(words);
  if (name === 'eval') {
    const values = words.slice(1).map(text);
    return values.every((value) => value !== null)
      ? { type: 'script', source: values.join(' ') }
      : { type: 'unresolved', why: 'what eval runs is not clear' };
  }
  if (name === 'printf' && words.slice(1, 2).some((word) => text(word)?.startsWith('-v') ?? true))
    return { type: 'unresolved', why: 'it may set a variable' };
  if ((name === 'test' || name === '[') && words.some((word) => word.value === null || /^-[vR]$/.test(word.value))) {
    return { type: 'unresolved', why: 'it may test a variable by name' };
  }
  if (name === 'command' && /^-[vV]$/.test(text(words[1]) ?? '')) return { type: 'plain' };
  const options = Object.hasOwn(simple, name) ? simple[name] : undefined;
  if (options === undefined) return { type: 'plain' };
  const rest = afterOptions(words, options);
  return rest === null ? { type: 'unresolved', why: `its options to ${name} are not understood` } : inner(rest, `${name} runs nothing`);
}
