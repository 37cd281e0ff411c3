/** Turns arguments into checked flags. Nothing is ignored: what is not known, not built or not a number is refused. */
import { parseArgs } from 'node:util';
import { editDistance, nearest } from '@sidenote/node';
import { UsageError } from '../usage-error.js';
import { COMMANDS, FLAG_NAMES, FLAGS, isFlagName, MISSING_COMMANDS, SPELLINGS, type Flag, type FlagName } from './flag-table.js';
import { spread } from './spread.js';

export type CommandName = 'chat' | (typeof COMMANDS)[number];

/** Flags as they were given, by name; read them with `switched`, `text`, `numeric` and `listed`. */
export type Flags = {
  readonly command: CommandName;
  /** Words after the flags, joined; undefined when there were none. */
  readonly prompt: string | undefined;
  /** First words of the agent that the session runs as: they stand before those of the person. */
  readonly initialPrompt?: string;
  readonly given: ReadonlyMap<FlagName, readonly (string | true)[]>;
};

/** The words that a session begins with; undefined when there are none. */
export function firstWords({ initialPrompt, prompt }: Flags): string | undefined {
  const words = [initialPrompt, prompt].filter((one) => one !== undefined && one.trim() !== '');
  return words.length === 0 ? prompt : words.join('\n\n');
}

export function switched(flags: Flags, name: FlagName): boolean {
  return flags.given.has(name);
}
/** The last value given; undefined when the flag is absent or stands without one. */
export function text(flags: Flags, name: FlagName): string | undefined {
  const value = flags.given.get(name)?.at(-1);
  return typeof value === 'string' ? value : undefined;
}
export function numeric(flags: Flags, name: FlagName): number | undefined {
  const value = text(flags, name);
  return value === undefined ? undefined : Number(value);
}
/** All values of a flag that may be repeated; undefined when it is absent. */
export function listed(flags: Flags, name: FlagName): readonly string[] | undefined {
  return flags.given.get(name)?.flatMap((value) => (typeof value === 'string' ? splitRules(value) : []));
}
/** The values of a flag as they were given, for those that are no lists of names. */
export function given(flags: Flags, name: FlagName): readonly string[] {
  return (flags.given.get(name) ?? []).filter((value) => typeof value === 'string');
}
/** The value of a flag with a closed list of values. Parsing has checked it. */
export function chosen<const Choice extends string>(flags: Flags, name: FlagName, choices: readonly Choice[]): Choice | undefined {
  const value = text(flags, name);
  return choices.find((choice) => choice === value);
}

/** Splits `Read, Bash(git log:*, x) Edit` at commas and spaces outside parentheses. */
function splitRules(value: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of value) {
    if (character === '(') depth++;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && (character === ',' || character === ' ')) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '');
}

function flagOf(raw: string): FlagName {
  const name = SPELLINGS[raw] ?? raw;
  if (isFlagName(name)) return name;
  const near = nearest(raw, FLAG_NAMES);
  throw new UsageError(`unknown flag --${raw}${near === undefined ? '' : `: did you mean --${near}?`} (sidenote --help lists all)`);
}

function check(name: FlagName, value: string | undefined): string | true {
  const flag: Flag = FLAGS[name];
  if (flag.kind === 'switch') {
    if (value !== undefined) throw new UsageError(`--${name} takes no value`);
    return true;
  }
  // Nothing at all is an answer there: no system prompt, nothing appended, no tools.
  if (value === '' && (name === 'system-prompt' || name === 'append-system-prompt' || name === 'tools')) return value;
  if (value === undefined || value === '') {
    if (flag.kind === 'optional') return true;
    throw new UsageError(`--${name} needs a value: <${flag.value ?? 'value'}>`);
  }
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    throw new UsageError(`--${name} ${value}: use one of ${flag.choices.join(', ')}`);
  }
  if (
    flag.kind === 'number' &&
    !(Number(value) > 0 && Number.isFinite(Number(value)) && (name !== 'max-turns' || Number.isInteger(Number(value))))
  ) {
    throw new UsageError(`--${name} ${value}: a number above zero is needed`);
  }
  return value;
}

/** @throws {UsageError} for anything that is not understood, with what to write instead. */
export function parseFlags(args: readonly string[]): Flags {
  const options = Object.fromEntries(
    [...FLAG_NAMES, ...Object.keys(SPELLINGS)].map((name) => {
      const flag: Flag = FLAGS[flagOf(name)];
      return [
        name,
        {
          type: flag.kind === 'switch' ? ('boolean' as const) : ('string' as const),
          ...(flag.short === undefined ? {} : { short: flag.short }),
        },
      ];
    }),
  );
  const { tokens } = parseArgs({ args: spread(args), options, strict: false, allowPositionals: true, tokens: true });
  const given = new Map<FlagName, (string | true)[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.rawName.length === 2 && !(token.name in options))
      throw new UsageError(`unknown flag ${token.rawName} (sidenote --help lists all)`);
    const name = flagOf(token.name);
    if (token.inlineValue === false && token.value.startsWith('--') && isFlagName(token.value.slice(2))) {
      throw new UsageError(`--${name} needs a value: it stands before ${token.value}`);
    }
    const values = given.get(name) ?? [];
    values.push(check(name, token.value));
    given.set(name, values);
  }
  const first = words[0];
  const missing = MISSING_COMMANDS.find((name) => name === first);
  if (missing !== undefined && !given.has('print')) throw new UsageError(`sidenote ${missing} is not available yet`);
  const command = given.has('print') ? undefined : COMMANDS.find((name) => name === first);
  if (command !== undefined) words.shift();
  else if (!given.has('print') && !args.includes('--')) refuseMistyped(words);
  const flags: Flags = { command: command ?? 'chat', prompt: words.length === 0 ? undefined : words.join(' '), given };
  agree(flags);
  return flags;
}

/** A single word next to a command is no prompt but a slip. */
function refuseMistyped([word = '', ...more]: readonly string[]): void {
  if (more.length > 0) return;
  const meant = [...COMMANDS, 'mcp'].find((name) => editDistance(word.toLowerCase(), name) <= (name.length > 4 ? 2 : 1));
  if (meant !== undefined)
    throw new UsageError(`there is no command ${word}: did you mean \`sidenote ${meant}\`? (as a prompt: sidenote -- ${word})`);
}

/** Refuses flags that contradict each other or would have no effect. */
function agree(flags: Flags): void {
  const has = (name: FlagName): boolean => flags.given.has(name);
  const onlyWith = (name: FlagName, other: boolean, what: string): void => {
    if (has(name) && !other) throw new UsageError(`--${name} has a meaning only with ${what}`);
  };
  const streaming = text(flags, 'output-format') === 'stream-json';
  for (const name of ['output-format', 'input-format', 'max-turns'] as const) onlyWith(name, has('print'), '-p');
  onlyWith('include-partial-messages', streaming, '--output-format stream-json');
  onlyWith('replay-user-messages', streaming, '--output-format stream-json');
  onlyWith('fork-session', has('continue') || has('resume'), '-c or -r');
  if ((flags.command === 'lint' || flags.command === 'doctor') && flags.prompt !== undefined)
    throw new UsageError(`sidenote ${flags.command} takes no words: it looks at the working directory`);
  onlyWith('json', flags.command !== 'chat', 'context, lint, diff, sessions or doctor');
  if (has('continue') && has('resume')) throw new UsageError('give either --continue or --resume');
  if (has('print') && has('resume') && text(flags, 'resume') === undefined) throw new UsageError('-p needs an id after --resume');
  if (text(flags, 'input-format') === 'stream-json' && flags.prompt !== undefined) {
    throw new UsageError('with --input-format stream-json the prompts come on standard input');
  }
  if (has('session-id') && (has('continue') || has('resume')) && !has('fork-session')) {
    throw new UsageError('--session-id names a new session: with -c or -r it needs --fork-session');
  }
  const id = text(flags, 'session-id');
  if (id !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new UsageError(`--session-id ${id}: a uuid is needed`);
  for (const name of ['system-prompt', 'append-system-prompt'] as const) {
    if (has(name) && has(`${name}-file`)) throw new UsageError(`give either --${name} or --${name}-file`);
  }
}
