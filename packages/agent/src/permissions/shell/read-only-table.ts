/** Commands that only read, with the options that keep them so. What is not listed here is not read-only. */

/** What the words of a command that are no options mean. */
export type Operands = 'paths' | 'text' | 'none';

export type ReadOnly = {
  /** Letters that may stand in a group of short options (`-la`); digits are always fine. */
  readonly short: string;
  /** Names of long options. A value after `=` counts as a path. */
  readonly long?: readonly string[];
  readonly operands: Operands;
  /** The first word that is no option is a pattern, unless `-e` or `-f` is given. */
  readonly pattern?: boolean;
  /** Most words that are no options. */
  readonly most?: number;
  /** Options under which it reads whole trees. */
  readonly recursive?: RegExp | true;
};

const context = [
  'after-context',
  'before-context',
  'context',
  'count',
  'ignore-case',
  'invert-match',
  'line-number',
  'line-regexp',
  'max-count',
];
const matching = [
  ...context,
  'fixed-strings',
  'only-matching',
  'quiet',
  'regexp',
  'text',
  'with-filename',
  'no-filename',
  'word-regexp',
  'color',
];
const grep: ReadOnly = {
  short: 'abcEeFGHhiIlLmnoPqrsvwxABCTUZ',
  long: [
    ...matching,
    'extended-regexp',
    'basic-regexp',
    'perl-regexp',
    'files-with-matches',
    'files-without-match',
    'recursive',
    'include',
    'exclude',
    'exclude-dir',
    'no-messages',
    'null',
  ],
  operands: 'paths',
  pattern: true,
  recursive: /^(-[a-zA-Z]*r[a-zA-Z]*|--recursive)$/,
};

export const readOnly: Readonly<Record<string, ReadOnly>> = {
  ':': { short: '', operands: 'text' },
  basename: { short: 'as', operands: 'text' },
  cat: { short: 'AbeEnstTuv', long: ['number', 'show-all'], operands: 'paths' },
  break: { short: '', operands: 'text' },
  cmp: { short: 'bls', operands: 'paths' },
  continue: { short: '', operands: 'text' },
  cut: { short: 'dfcbs,:;| -', long: ['delimiter', 'fields', 'characters'], operands: 'paths' },
  date: { short: 'uIR', long: ['utc', 'iso-8601'], operands: 'text' },
  // Not -r: it follows links out of the tree.
  diff: { short: 'uqNBbwiya', long: ['unified', 'brief', 'color'], operands: 'paths' },
  dirname: { short: '', operands: 'text' },
  du: { short: 'ahscdkmx', long: ['max-depth', 'human-readable', 'summarize'], operands: 'paths' },
  echo: { short: 'neE', operands: 'text' },
  egrep: grep,
  exit: { short: '', operands: 'text' },
  false: { short: '', operands: 'none' },
  fgrep: grep,
  file: { short: 'bi', long: ['brief', 'mime-type'], operands: 'paths' },
  grep,
  head: { short: 'ncqv', long: ['lines', 'bytes'], operands: 'paths' },
  ls: {
    short: 'aAbBcCdfFgGhHiklmnopqQrRsStuUvxX1',
    long: [
      'all',
      'almost-all',
      'color',
      'directory',
      'group-directories-first',
      'human-readable',
      'recursive',
      'reverse',
      'sort',
      'time-style',
    ],
    operands: 'paths',
  },
  nl: { short: 'ba', operands: 'paths' },
  printf: { short: '', operands: 'text' },
  pwd: { short: 'LP', operands: 'none' },
  readlink: { short: 'fenm', operands: 'paths' },
  realpath: { short: 'em', operands: 'paths' },
  return: { short: '', operands: 'text' },
  rev: { short: '', operands: 'paths' },
  rg: {
    short: 'iSwvlcnHoNFxUPpqsABCmgte',
    long: [
      ...matching,
      'files',
      'files-with-matches',
      'files-without-match',
      'glob',
      'hidden',
      'heading',
      'iglob',
      'json',
      'max-depth',
      'multiline',
      'no-heading',
      'no-ignore',
      'no-line-number',
      'pcre2',
      'smart-case',
      'sort',
      'stats',
      'trim',
      'type',
      'type-not',
    ],
    operands: 'paths',
    pattern: true,
    recursive: true,
  },
  sort: { short: 'nrukthfbVs,.:', long: ['numeric-sort', 'reverse', 'unique', 'key'], operands: 'paths' },
  stat: { short: 'ctfL', long: ['format', 'printf'], operands: 'paths' },
  tac: { short: '', operands: 'paths' },
  tail: { short: 'ncqv+', long: ['lines', 'bytes'], operands: 'paths' },
  tr: { short: 'dscC', operands: 'text' },
  true: { short: '', operands: 'none' },
  type: { short: 'atpP', operands: 'text' },
  uname: { short: 'asnrvmpio', operands: 'none' },
  uniq: { short: 'cdui', long: ['count', 'repeated', 'unique'], operands: 'paths', most: 1 },
  wc: { short: 'clmLw', long: ['lines', 'words', 'bytes', 'chars'], operands: 'paths' },
  which: { short: 'a', operands: 'text' },
  whoami: { short: '', operands: 'none' },
};

/** Tests and actions of `find` that neither write nor run anything. */
export const findWords = new Set([
  '-name', '-iname', '-path', '-ipath', '-regex', '-iregex', '-type', '-maxdepth', '-mindepth', '-size', '-mtime', '-mmin', '-ctime', '-cmin',
  '-newer', '-empty', '-print', '-print0', '-not', '-o', '-or', '-a', '-and', '-prune', '-ls', '-perm', '-user', '-group', '-executable',
  '-readable', '-writable', '!', '(', ')', ',',
]); // prettier-ignore

/** Commands of git that only read. `listing`: names are operands only beside one of these options. */
export const gitReaders: Readonly<Record<string, { readonly flags?: RegExp; readonly listing?: RegExp }>> = {
  blame: {},
  branch: {
    flags: /^(-[arvl]+|--(list|all|remotes|show-current|verbose|merged|no-merged|contains|sort=[\w:-]+|format=.*))$/,
    listing: /^(-l|--list|--merged|--no-merged|--contains)$/,
  },
  describe: {},
  diff: {},
  log: {},
  'ls-files': {},
  'merge-base': {},
  remote: { flags: /^(-v|--verbose)$/, listing: /^$/ },
  'rev-list': {},
  'rev-parse': {},
  shortlog: {},
  show: {},
  status: {},
  tag: { flags: /^(-l|--list|-n\d*|--sort=[\w:-]+|--contains|--merged)$/, listing: /^(-l|--list|--contains|--merged)$/ },
};

/** Options of git that write a file, run a program or leave the repository; also in shortened form. */
export const gitRisks = [
  '--output',
  '--ext-diff',
  '--textconv',
  '--no-index',
  '--exec',
  '--contents',
  '--open-files-in-pager',
  '--ignore-revs-file',
];
