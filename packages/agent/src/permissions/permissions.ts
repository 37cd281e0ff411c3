/** Decides what may run without asking: deny rules, then ask rules, then allow rules, then the mode. */
import type { ToolCall } from '@sidenote/engine';
import type { AnyTool } from '../tools/tool.js';
import type { Brought, Decision, Mode, Permissions } from './contract.js';
import { autoRules, type AutoRules } from './auto-policy.js';
import { exactly } from './path-pattern.js';
import { standingIn, type MemoryStanding } from './memory-folder.js';
import { openPlaces } from './places.js';
import type { Place, Places } from './places.js';
import { parseRule } from './rule.js';
import type { Rule } from './rule.js';
import { namesTool, readRules } from './rule-book.js';
import type { RuleBook, RuleTexts } from './rule-book.js';
import { gitPrograms } from './shell/git-programs.js';
import type { Verdict } from './shell/judge.js';

export type PermissionOptions = {
  /** Absolute. Tools and commands work here. */
  readonly cwd: string;
  /** A function is asked whenever a call is judged. */
  readonly mode: Mode | (() => Mode);
  readonly rules: RuleTexts;
  /** Allow rules that the person's answers add while the process lives, one set for all permissions of a session. Default: a set of its own. */
  readonly granted?: Set<string>;
  /** Rules that came since: they deny and ask beside the others. Asked for whenever a call, or a file outside of one, is judged. */
  readonly later?: () => Promise<LaterRules>;
  /** Folders that count like `cwd`. */
  readonly additionalDirectories?: readonly string[];
  /** Folders that may be read without asking, and not written: where large results are kept, for one. */
  readonly readableDirectories?: readonly string[];
  /** Its memories may be read, and written by tools that write files, without asking. Default: there is none. */
  readonly memoryDirectory?: string;
  /** May be read in every mode, and is the one file that may be written in plan mode. Default: there is none. */
  readonly planFile?: string;
  /** The project's own configuration may name programs that git runs without a question. Default false. */
  readonly trusted?: boolean;
  /** What `~` in rules and commands stands for. */
  readonly home: string;
};

/** The same value as long as they are the same. */
export type LaterRules = Pick<RuleTexts, 'deny' | 'ask'>;

export interface RulePermissions extends Permissions {
  /** Rules that could not be read, one line each. They are not in force. */
  readonly problems: readonly string[];
  /**
   * False when a deny rule forbids reading this file. For everything that puts files before the model without a call. `inCall`:
   * a call was just judged, and asks for each of many files; whether rules came since is not asked again. Default false.
   */
  mayRead(file: string, how?: { readonly inCall?: boolean }): Promise<boolean>;
  /** False for a tool that a deny rule takes away as a whole: the model need not hear of it. */
  offers(tool: string): boolean;
}

const shellTools = new Set(['Bash', 'Monitor']);
/** Files that run or configure programs: never written without a question, whatever the mode. */
const sensitive =
  /(^|\/)(\.git|\.claude|\.sidenote|\.agents|\.vscode|\.idea|\.husky|\.devcontainer|\.github)(\/|$)|(^|\/)(\.mcp\.json|\.envrc|\.gitconfig|\.npmrc|\.\w*(bash|zsh|profile)\w*)$/i;

const ONLY_PLAN = 'plan mode: nothing but the plan file is written before the plan is approved';

/** The rules and the mode that one call is judged by. */
type Judging = { readonly book: RuleBook; readonly mode: Mode };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** `Read` rules reach every tool that reads files, `Edit` rules every tool that writes them; a ban on reading bans writing too. */
function reaches(rule: Rule, tool: { readonly name: string; readonly access: string; readonly files: boolean }, strict: boolean): boolean {
  if (namesTool(rule.tool, tool.name)) return true;
  if (rule.tool === 'Bash') return shellTools.has(tool.name);
  if (!tool.files) return false;
  if (rule.tool === 'Edit') return tool.access === 'write';
  return rule.tool === 'Read' && (tool.access === 'read' || (!strict && tool.access === 'write'));
}

function holds(rule: Rule, places: readonly Place[], input: unknown, strict: boolean): boolean {
  switch (rule.type) {
    case 'tool':
      return true;
    case 'path': {
      const hit = (file: string | null) => file !== null && rule.pattern.matches(file);
      if (strict) return places.length > 0 && places.every(({ lexical, real }) => hit(lexical) && hit(real));
      return places.some(({ lexical, real }) => hit(lexical) || hit(real));
    }
    case 'input': {
      const value = isRecord(input) ? input[rule.key] : undefined;
      return (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') && rule.match.test(String(value));
    }
    case 'command':
      return false;
  }
}

/** Permissions of one session. Symbolic links are followed when a call is judged. */
export function createPermissions(options: PermissionOptions): RulePermissions {
  const { cwd, home, granted = new Set() } = options;
  const book = readRules(options.rules, { cwd, home });
  const opened: Promise<Places> = openPlaces({
    cwd,
    home,
    additional: options.additionalDirectories ?? [],
    readable: [...(options.readableDirectories ?? []), ...[options.memoryDirectory, options.planFile].filter((path) => path !== undefined)],
  });
  const memoryFolder = opened.then((places) =>
    options.memoryDirectory === undefined ? undefined : places.locate(options.memoryDirectory),
  );
  const planPlace = opened.then((places) => (options.planFile === undefined ? undefined : places.locate(options.planFile)));
  const { mode } = options;
  const modeNow = typeof mode === 'function' ? mode : () => mode;
  let auto: AutoRules | undefined;

  const known = { allow: new Map<string, Rule | null>(), deny: new Map<string, Rule | null>() };
  const further = (list: 'allow' | 'deny', texts: readonly string[]): readonly Rule[] =>
    texts.flatMap((text) => {
      const parsed = known[list].has(text) ? undefined : parseRule(text, list, { cwd, home });
      if (parsed !== undefined) known[list].set(text, parsed.ok ? parsed.rule : null);
      return known[list].get(text) ?? [];
    });
  let newest: { readonly later?: LaterRules; readonly book: RuleBook } = { book };
  const bookNow = async (): Promise<RuleBook> => {
    const later = await options.later?.();
    if (later !== undefined && later !== newest.later) {
      const { deny, ask } = readRules(later, { cwd, home });
      newest = { later, book: { ...book, deny: [...book.deny, ...deny], ask: [...book.ask, ...ask] } };
    }
    return newest.book;
  };

  /** The book with further rules. Those that can't be read count for nothing. */
  const bookWith = (book: RuleBook, { allow = [], deny = [] }: Brought): RuleBook =>
    allow.length + deny.length + granted.size === 0
      ? book
      : { ...book, allow: [...book.allow, ...further('allow', [...granted, ...allow])], deny: [...book.deny, ...further('deny', deny)] };

  const mayWrite = ({ book, mode }: Judging, places: Places, place: Place): string | null => {
    const inside = places.inside(place, 'write') && ![place.lexical, place.real ?? ''].some((file) => sensitive.test(file));
    const rule = book.allow.find((one) => one.tool === 'Edit' && (one.type === 'path' || inside) && holds(one, [place], {}, true));
    if (rule !== undefined) return `the rule ${rule.text}`;
    const quiet = (mode === 'acceptEdits' || mode === 'auto') && inside;
    return quiet ? 'edits inside the working directory are accepted' : null;
  };

  const arePlan = async (places: readonly Place[]): Promise<boolean> => {
    const plan = await planPlace;
    return plan !== undefined && plan.real !== null && places.every(({ real }) => real === plan.real);
  };

  const judgeFiles = async (judging: Judging, tool: AnyTool, input: unknown, places: Places): Promise<Verdict> => {
    const { book, mode } = judging;
    const { name } = tool.spec;
    const files = tool.paths?.(input) ?? [];
    const found = await Promise.all(files.map((file) => places.locate(file)));
    const facts = { name, access: tool.access, files: tool.paths !== undefined };
    const rule = (list: 'deny' | 'ask' | 'allow') =>
      book[list].find((one) => reaches(one, facts, list === 'allow') && holds(one, found, input, list === 'allow'));
    const denied = rule('deny');
    if (denied !== undefined) return { type: 'deny', why: `the rule ${denied.text} forbids it` };
    const memory = tool.access === 'write' ? await memoryFolder : undefined;
    const standing = (place: Place): MemoryStanding => (memory === undefined ? 'outside' : standingIn(memory, place));
    const link = found.find((place) => standing(place) === 'link');
    if (link !== undefined) return { type: 'deny', why: `${link.lexical} leads out of the folder for memories` };
    if (mode === 'plan' && tool.access === 'execute')
      return { type: 'deny', why: 'plan mode: only tools that read are called before the plan is approved' };
    const isPlan = mode === 'plan' && tool.access === 'write' && found.length > 0 && (await arePlan(found));
    if (mode === 'plan' && tool.access === 'write' && !isPlan) return { type: 'deny', why: ONLY_PLAN };
    const asked = rule('ask');
    if (asked !== undefined) return { type: 'ask', why: `the rule ${asked.text} asks for it`, rules: [], byRule: true };
    if (isPlan) return { type: 'allow', why: 'it is the plan' };
    const allowed = rule('allow');
    if (allowed !== undefined) return { type: 'allow', why: `the rule ${allowed.text}` };
    const question = (why: string, rules: readonly string[]): Verdict => ({ type: 'ask', why, rules, byRule: false });
    if (mode === 'auto' && name.startsWith('mcp__') && tool.access === 'read')
      return { type: 'allow', why: 'its server says that it only reads' };
    if (name.startsWith('mcp__') || tool.access === 'execute') return question(`no rule allows ${name}`, [name]);
    if (tool.access === 'read') {
      const outside = found.filter((place) => !places.inside(place, 'read'));
      if (outside.length === 0) return { type: 'allow', why: 'it only reads' };
      return question(
        `${outside[0]?.lexical} lies outside the working directory`,
        outside.map(({ lexical }) => `Read(${exactly(lexical)})`),
      );
    }
    const reasons = found.map((place) => (standing(place) === 'inside' ? 'it is a memory' : mayWrite(judging, places, place)));
    const first = reasons[0];
    if (first !== undefined && first !== null && !reasons.includes(null)) return { type: 'allow', why: first };
    return question(
      `it writes ${found.map(({ lexical }) => lexical).join(', ') || 'files'}`,
      found.map(({ lexical }) => `Edit(${exactly(lexical)})`),
    );
  };

  const shellCommand = (tool: AnyTool, input: unknown): string | null =>
    shellTools.has(tool.spec.name) && isRecord(input) && typeof input['command'] === 'string' ? input['command'] : null;

  const judgeCommand = async (judging: Judging, tool: AnyTool, command: string, places: Places): Promise<Verdict> => {
    const { book, mode } = judging;
    const whole = (list: 'deny' | 'ask' | 'allow') =>
      book[list].find((rule) => rule.type === 'tool' && (namesTool(rule.tool, tool.spec.name) || rule.tool === 'Bash'));
    const denied = whole('deny');
    if (denied !== undefined) return { type: 'deny', why: `the rule ${denied.text} forbids it` };
    // The shell's grammar is large, and many sessions run no command.
    const { judgeShell } = await import('./shell/judge.js');
    const under = (rules: Pick<RuleBook, 'deny' | 'ask' | 'allow'>, confined: readonly Rule[] = []): Promise<Verdict> =>
      judgeShell(command, {
        places,
        rules,
        isConfined: (rule) => confined.includes(rule),
        pathRule: (list, place, access) =>
          book[list].find(
            (rule) =>
              rule.type === 'path' &&
              (rule.tool === 'Read' || (access === 'write' && rule.tool === 'Edit')) &&
              holds(rule, [place], {}, false),
          ) ?? null,
        mayWrite: (place) => (mode === 'plan' ? null : mayWrite(judging, places, place)),
        gitRuns: options.trusted === true ? async () => null : gitPrograms,
        guarded: [...book.deny, ...book.ask].some((rule) => rule.type === 'path' && rule.tool === 'Read'),
      });
    // Planning looks around only: what the rules allow waits.
    const verdict = await under(mode === 'plan' ? { ...book, allow: [] } : book);
    if (verdict.type === 'deny' || (verdict.type === 'ask' && verdict.byRule)) return verdict;
    const asked = whole('ask');
    if (asked !== undefined) return { type: 'ask', why: `the rule ${asked.text} asks for it`, rules: [], byRule: true };
    if (verdict.type === 'allow') return verdict;
    const allowed = mode === 'plan' ? undefined : whole('allow');
    if (allowed !== undefined) return { type: 'allow', why: `the rule ${allowed.text}` };
    if (mode !== 'auto') return verdict;
    auto ??= autoRules({ cwd, home });
    return under({ ...book, deny: [...book.deny, ...auto.deny], allow: [...book.allow, ...auto.allow] }, auto.allow);
  };

  const byMode = (verdict: Verdict, mode: Mode, access: AnyTool['access']): Decision => {
    if (verdict.type !== 'ask') return verdict;
    if (mode === 'bypassPermissions' && !verdict.byRule) return { type: 'allow', why: 'permissions are bypassed' };
    if (mode === 'plan' && access === 'execute')
      return { type: 'deny', why: 'plan mode: only commands that read are run before the plan is approved' };
    if (mode === 'dontAsk') return { type: 'deny', why: `${verdict.why}, and questions are off` };
    return { type: 'ask', why: verdict.why, rules: verdict.rules, ...(verdict.byRule ? { byRule: true } : {}) };
  };

  const permissions: RulePermissions = {
    get mode() {
      return modeNow();
    },
    problems: book.problems,
    judge: async (call: ToolCall, tool: AnyTool, input: unknown, brought: Brought = {}): Promise<Decision> => {
      const places = await opened;
      const judging = { book: bookWith(await bookNow(), brought), mode: modeNow() };
      const command = shellCommand(tool, input);
      const verdict = await (command === null ? judgeFiles(judging, tool, input, places) : judgeCommand(judging, tool, command, places));
      // A mode that was changed meanwhile counts.
      if (modeNow() !== judging.mode) return permissions.judge(call, tool, input, brought);
      return byMode(verdict, judging.mode, tool.access);
    },
    allow: (rules) => {
      for (const text of rules) {
        const parsed = parseRule(text, 'allow', { cwd, home });
        if (parsed.ok) granted.add(text);
        else book.problems.push(parsed.message);
      }
    },
    offers: (tool) => !book.deny.some((rule) => rule.type === 'tool' && namesTool(rule.tool, tool)),
    mayRead: async (file, { inCall = false } = {}) => {
      const place = await (await opened).locate(file);
      const { deny } = inCall ? newest.book : await bookNow();
      return !deny.some((rule) => rule.tool === 'Read' && holds(rule, [place], {}, false));
    },
  };
  return permissions;
}
