/** Judges a command line: each command in it on its own, then the strictest answer for all. */
import path from 'node:path';
import type { Place, Places } from '../places.js';
import type { Rule } from '../rule.js';
import { commandPattern, concerns, grants } from './command-pattern.js';
import type { CommandPattern } from './command-pattern.js';
import { entriesOf } from './glob.js';
import { readingOf } from './read-only.js';
import { readScript } from './script.js';
import type { FileRedirect, SimpleCommand } from './script.js';
import { suggestRule } from './suggest.js';
import { unwrap } from './wrappers.js';
import type { ShellWord } from './word.js';

/** `byRule`: a rule asks for it, so that no mode may skip the question. */
export type Verdict =
  | { readonly type: 'allow'; readonly why: string }
  | { readonly type: 'deny'; readonly why: string }
  | { readonly type: 'ask'; readonly why: string; readonly rules: readonly string[]; readonly byRule: boolean };

/** What the judge asks of its surroundings. */
export type ShellSurroundings = {
  readonly places: Places;
  readonly rules: { readonly deny: readonly Rule[]; readonly ask: readonly Rule[]; readonly allow: readonly Rule[] };
  /** Rule of that list that forbids or questions an access to the place. */
  pathRule(list: 'deny' | 'ask', place: Place, access: 'read' | 'write'): Rule | null;
  /** Whether files there may be written without asking, and why. */
  mayWrite(place: Place): string | null;
  /** Whether an allow rule counts only for commands none of whose words leads out of the working directory. Default: none does. */
  isConfined?(rule: Rule): boolean;
  /** What git would run there although it only reads; null: nothing. */
  gitRuns(folder: string): Promise<string | null>;
  /** Some rule forbids reading some paths: then commands that read whole trees are asked about. */
  readonly guarded: boolean;
};

/** Rules are the same for many commands; each is taken apart once. */
const patterns = new WeakMap<Rule, CommandPattern>();

function patternsOf(rule: Rule): readonly { readonly rule: Rule; readonly pattern: CommandPattern }[] {
  if (rule.type !== 'command') return [];
  const pattern = patterns.get(rule) ?? commandPattern(rule.spec);
  patterns.set(rule, pattern);
  return [{ rule, pattern }];
}

const maxDepth = 8;
const maxFolders = 8;

/** What `mkdir`, `touch`, `mv` and `cp` may write; null for other commands, and for options that change what they do. */
function fileTargets(words: readonly ShellWord[]): readonly ShellWord[] | null {
  const [command, ...rest] = words;
  const name = command?.value ?? '';
  if (!['mkdir', 'touch', 'mv', 'cp'].includes(name) || rest.some((word) => word.value === null || /^-(?!p$)/.test(word.value)))
    return null;
  const operands = rest.filter((word) => word.value !== '-p');
  const last = operands.at(-1);
  if (last === undefined) return null;
  if (name === 'mkdir' || name === 'touch') return operands;
  // The last one may be a folder: then what is written lies in it, and may be a link there.
  const within = operands.slice(0, -1).map((word) => {
    const value = `${last.value ?? ''}/${path.basename(word.value ?? '')}`;
    return { ...word, value, guess: value };
  });
  return [...operands, ...within];
}

const allow = (why: string): Verdict => ({ type: 'allow', why });
const ask = (why: string, rules: readonly string[] = []): Verdict => ({ type: 'ask', why, rules, byRule: false });
const rank = { allow: 0, ask: 1, deny: 2 } as const;

/** The strictest verdict. What can be remembered of several questions is the sum, or nothing if one can't be. */
function strictest(verdicts: readonly Verdict[]): Verdict {
  const worst = verdicts.reduce<Verdict>((a, b) => (rank[b.type] > rank[a.type] ? b : a), verdicts[0] ?? allow('it does nothing'));
  if (worst.type !== 'ask') return worst;
  const asks = verdicts.filter((verdict) => verdict.type === 'ask');
  const rules = asks.every((verdict) => verdict.rules.length > 0) ? [...new Set(asks.flatMap((verdict) => verdict.rules))] : [];
  return {
    ...worst,
    why: [...new Set(asks.map((verdict) => verdict.why))].slice(0, 3).join('; '),
    rules,
    byRule: asks.some((verdict) => verdict.byRule),
  };
}

/** Judges `command` as bash would read it. */
export async function judgeShell(command: string, around: ShellSurroundings): Promise<Verdict> {
  const { places, rules } = around;
  const found = { deny: rules.deny.flatMap(patternsOf), ask: rules.ask.flatMap(patternsOf), allow: rules.allow.flatMap(patternsOf) };
  const exact = (list: 'deny' | 'ask' | 'allow') => found[list].find(({ pattern }) => pattern.exact === command.trim())?.rule;

  /** A deny or ask rule on these words, or on any command that starts later among them. */
  const onWords = (words: readonly ShellWord[], tails: boolean): Verdict | null => {
    const starts = tails ? words.map((_, index) => words.slice(index)) : [words];
    for (const list of ['deny', 'ask'] as const) {
      const hit = found[list].find(({ pattern }) => starts.some((start) => concerns(pattern, start)))?.rule;
      if (hit !== undefined)
        return list === 'deny'
          ? { type: 'deny', why: `the rule ${hit.text} forbids it` }
          : { type: 'ask', why: `the rule ${hit.text} asks for it`, rules: [], byRule: true };
    }
    return null;
  };

  const onPath = (place: Place, access: 'read' | 'write'): Verdict | null => {
    const denied = around.pathRule('deny', place, access);
    if (denied !== null) return { type: 'deny', why: `the rule ${denied.text} forbids ${place.lexical}` };
    const asked = around.pathRule('ask', place, access);
    return asked === null ? null : { type: 'ask', why: `the rule ${asked.text} asks for ${place.lexical}`, rules: [], byRule: true };
  };

  /** Everything that a path word may mean, from every folder that the script may be in. Null: not known. */
  const locate = async (word: ShellWord, folders: readonly string[]): Promise<readonly Place[] | null> => {
    if (word.value === null) return null;
    const all: Place[] = [];
    for (const folder of folders) {
      const names = word.glob ? await entriesOf(word.value, folder) : [word.value];
      if (names === null) return null;
      all.push(...(await Promise.all(names.map((name) => places.locate(name, folder)))));
    }
    return all;
  };

  const readPaths = async (words: readonly ShellWord[], folders: readonly string[]): Promise<Verdict> => {
    const verdicts: Verdict[] = [];
    for (const word of words) {
      const found = await locate(word, folders);
      if (found === null) verdicts.push(ask(`which files ${word.text} names is not clear`));
      else
        for (const place of found) {
          const byRule = onPath(place, 'read');
          if (byRule !== null) verdicts.push(byRule);
          else if (!places.inside(place, 'read')) verdicts.push(ask(`${place.lexical} lies outside the working directory`));
        }
    }
    return strictest(verdicts);
  };

  const writePath = async (word: ShellWord, folders: readonly string[]): Promise<Verdict> => {
    const found = word.glob ? null : await locate(word, folders);
    if (found === null) return ask(`which file ${word.text} names is not clear`);
    return strictest(
      found.map((place) => {
        const why = around.mayWrite(place);
        return onPath(place, 'write') ?? (why === null ? ask(`it writes ${place.lexical}`) : allow(why));
      }),
    );
  };

  const redirect = async ({ access, target }: FileRedirect, folders: readonly string[]): Promise<Verdict> => {
    if (target.value === '/dev/null' || (access === 'write' && /^\/dev\/(stdout|stderr)$/.test(target.value ?? '')))
      return allow('it goes nowhere');
    return access === 'read' ? readPaths([target], folders) : writePath(target, folders);
  };

  /** Arguments that name files under a rule, whatever the command. */
  const onArguments = async (words: readonly ShellWord[], folders: readonly string[]): Promise<Verdict | null> => {
    if (!around.guarded) return null;
    const values = words.slice(1).flatMap((word) => {
      const value = word.value ?? word.guess;
      return value.startsWith('-') ? (value.includes('=') ? [value.slice(value.indexOf('=') + 1)] : []) : [value];
    });
    const found = await Promise.all(
      values.filter((value) => value !== '').flatMap((value) => folders.map((folder) => places.locate(value, folder))),
    );
    const verdicts = found.map((place) => onPath(place, 'read')).filter((verdict) => verdict !== null);
    return verdicts.length === 0 ? null : strictest(verdicts);
  };

  /** Whether a word, or the value of an option, names a place outside, as far as that can be told from how it is written. */
  const leadsOut = async (words: readonly ShellWord[], folders: readonly string[]): Promise<boolean> => {
    const named = words.slice(1).flatMap(({ value, guess }) => {
      const text = value ?? guess;
      return [text, text.slice(text.indexOf('=') + 1), ...(/^-\w/.test(text) ? [text.slice(2)] : [])];
    });
    if (named.some((text) => /^\$(\w|\{)|^~/.test(text))) return true;
    const paths = named.filter((text) => text.startsWith('/') || text.split('/').includes('..'));
    const found = await Promise.all(paths.flatMap((text) => folders.map((folder) => places.locate(text, folder))));
    return found.some((place) => !places.inside(place, 'write'));
  };

  const plain = async (words: readonly ShellWord[], folders: readonly string[]): Promise<Verdict> => {
    const granting = found.allow.filter(({ pattern }) => grants(pattern, words)).map(({ rule }) => rule);
    const free = granting.find((rule) => around.isConfined?.(rule) !== true);
    const rule = free ?? (granting.length > 0 && !(await leadsOut(words, folders)) ? granting[0] : undefined);
    if (rule !== undefined) return allow(`the rule ${rule.text}`);
    const reading = readingOf(words);
    if (reading !== null) {
      if (reading.recursive && around.guarded) return ask('it reads whole folders, and rules forbid some files', suggestions(words));
      const verdict = await readPaths(reading.paths, folders);
      if (verdict.type !== 'allow') return verdict;
      const runs = words[0]?.value === 'git' ? await gitRuns(folders) : undefined;
      return runs === undefined ? allow('it only reads') : ask(`the repository makes git run ${runs}`, suggestions(words));
    }
    const targets = fileTargets(words);
    if (targets !== null) {
      const verdict = strictest(await Promise.all(targets.map((word) => writePath(word, folders))));
      if (verdict.type !== 'ask' || verdict.byRule) return verdict;
    }
    return ask(
      `no rule allows ${words
        .map((word) => word.text)
        .join(' ')
        .slice(0, 200)}`,
      suggestions(words),
    );
  };

  const gitRuns = async (folders: readonly string[]): Promise<string | undefined> => {
    for (const folder of folders) {
      const runs = await around.gitRuns(folder);
      if (runs !== null) return runs;
    }
    return undefined;
  };

  const suggestions = (words: readonly ShellWord[]): readonly string[] => {
    const rule = suggestRule(words);
    return rule === null ? [] : [rule];
  };

  const judge = async (words: readonly ShellWord[], folders: readonly string[], depth: number): Promise<Verdict> => {
    const unwrapped = depth > maxDepth ? ({ type: 'unresolved', why: 'it is nested too deeply' } as const) : unwrap(words);
    const byRule = onWords(words, unwrapped.type === 'unresolved') ?? (await onArguments(words, folders));
    if (byRule?.type === 'deny') return byRule;
    const rest = await (async (): Promise<Verdict> => {
      switch (unwrapped.type) {
        case 'plain':
          return plain(words, folders);
        case 'inner':
          return strictest(await Promise.all(unwrapped.commands.map((inner) => judge(inner, folders, depth + 1))));
        case 'also':
          return strictest(
            await Promise.all([plain(unwrapped.rest, folders), ...unwrapped.commands.map((inner) => judge(inner, folders, depth + 1))]),
          );
        case 'script':
          return script(unwrapped.source, folders, depth + 1);
        case 'unresolved':
          return ask(unwrapped.why);
      }
    })();
    return byRule === null ? rest : strictest([byRule, rest]);
  };

  /** Folders that the script may be in at any moment: every `cd` may have happened, or not. Null: not known. */
  const foldersOf = (commands: readonly SimpleCommand[], from: readonly string[]): readonly string[] | null => {
    let folders = from;
    for (const { words, repeated } of commands) {
      const name = words[0]?.value ?? words[0]?.guess ?? '';
      if (name === 'pushd' || name === 'popd') return null;
      if (!words.slice(0, 3).some((word) => (word.value ?? word.guess) === 'cd')) continue;
      const target = words.length === 2 && name === 'cd' ? words[1] : undefined;
      if (target === undefined || target.value === null || target.glob || repeated) return null;
      const { value } = target;
      folders = [...new Set([...folders, ...folders.map((folder) => (value.startsWith('/') ? value : `${folder}/${value}`))])];
      if (folders.length > maxFolders) return null;
    }
    return folders;
  };

  const script = async (source: string, from: readonly string[], depth: number): Promise<Verdict> => {
    const { commands, redirects, unresolved } = readScript(source, places.home);
    const known = foldersOf(commands, from);
    const folders = known ?? from;
    const verdicts: Verdict[] = unresolved.map((why) => ask(why));
    if (unresolved.length > 0) {
      const rough = source.split(/[\s;&|()<>`$'"\\]+/).map((text) => ({ text, value: text, glob: false, guess: text }));
      const hit = onWords(rough, true);
      if (hit !== null) verdicts.push(hit);
    }
    if (known === null) verdicts.push(ask('which folder it runs in is not clear'));
    for (const one of redirects) verdicts.push(await redirect(one, folders));
    for (const { words } of commands) verdicts.push(await judge(words, folders, depth));
    return strictest(verdicts);
  };

  const denied = exact('deny');
  if (denied !== undefined) return { type: 'deny', why: `the rule ${denied.text} forbids it` };
  const verdict = await script(command, [places.cwd], 0);
  const asked = exact('ask');
  if (verdict.type === 'deny' || (verdict.type === 'ask' && verdict.byRule)) return verdict;
  if (asked !== undefined) return { type: 'ask', why: `the rule ${asked.text} asks for it`, rules: [], byRule: true };
  const allowed = exact('allow');
  return verdict.type === 'ask' && allowed !== undefined ? allow(`the rule ${allowed.text}`) : verdict;
}
