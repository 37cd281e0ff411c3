/** The definition of an agent: what a file or `--agents` says, checked field by field. */
import type { Definition } from '../front-matter/definition.js';
import type { HooksField } from '../front-matter/hooks-field.js';
import type { OwnHooks } from '../hooks/own-hooks.js';
import { readServers, type AgentServers } from './servers-field.js';
import type { AgentMemoryScope } from '../memory/places.js';
import { nearest } from '../settings/nearest.js';

export type AgentScope = 'managed' | 'flag' | 'project' | 'user';

export type AgentDefinition = {
  readonly name: string;
  /** What it is for, for whoever chooses. */
  readonly description: string;
  /** Its system prompt. */
  readonly prompt: string;
  readonly scope: AgentScope;
  /** Where it stands; `--agents` for the command line. */
  readonly file: string;
  /** The only tools it gets. Default: those of its parent. */
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** Default: its parent's. */
  readonly model?: string;
  readonly permissionMode?: AgentMode;
  /** Model responses per task. */
  readonly maxTurns?: number;
  /** Run while it does. */
  readonly hooks?: OwnHooks;
  /** MCP servers that it has beside what its parent has, and those of the session whose tools it is given from the start. */
  readonly mcpServers?: AgentServers;
  /** Whose folder it keeps what it should know in, when it works again. */
  readonly memory?: AgentMemoryScope;
  /** Skills whose text stands in its prompt. */
  readonly skills?: readonly string[];
  /** Runs in the background unless the call says otherwise. */
  readonly background?: boolean;
  readonly effort?: string;
  /** It works in a copy of the repository. */
  readonly isolation?: 'worktree';
  readonly color?: string;
  /** The first words of a session that runs as this agent. */
  readonly initialPrompt?: string;
  /** Comes with every message to it: at most 600 characters. */
  readonly criticalReminder?: string;
};

export type AgentMode = 'default' | 'acceptEdits' | 'plan' | 'auto' | 'dontAsk' | 'bypassPermissions';

/** What is wrong with a definition: where, and what was done about it. */
export type AgentProblem = {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** The agent, or all that the file was to give, is not there. */
  readonly fatal?: true;
  /** The field, where nothing is wrong but that nobody trusts the folder. */
  readonly withheld?: string;
};

export type ReadAgent = { readonly definition?: AgentDefinition; readonly problems: readonly AgentProblem[] };

export type AgentSource = {
  readonly fields: Definition['fields'];
  readonly body: string;
  readonly scope: AgentScope;
  readonly file: string;
  lineOf(field: string): number;
  /** The field `hooks`, looked through. */
  readonly own: HooksField;
};

const MODES: readonly AgentMode[] = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'];
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
const FIELDS = [
  ...['name', 'description', 'tools', 'disallowedTools', 'model', 'permissionMode', 'maxTurns', 'skills', 'background', 'effort'],
  ...['isolation', 'color', 'initialPrompt', 'criticalReminder', 'hooks', 'mcpServers', 'memory'],
];
/** Characters of a critical reminder, and of a name. */
const MOST_CRITICAL = 600;
const LONGEST_NAME = 64;

/** A wrong field is left out and said; without a usable name or description there is no agent. */
export function readAgent({ fields, body, scope, file, lineOf, own }: AgentSource): ReadAgent {
  const problems: AgentProblem[] = [];
  const wrong = (field: string, message: string): undefined => void problems.push({ file, line: lineOf(field), message });
  const text = (field: string): string | undefined => {
    const value = fields[field];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    return wrong(field, `\`${field}\` is not a text; it was left out`);
  };
  const list = (field: string): readonly string[] | undefined => {
    const value = fields[field];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return split(value);
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.map((item) => item.trim());
    return wrong(field, `\`${field}\` is not a list of names; it was left out`);
  };
  const oneOf = <T extends string>(field: string, values: readonly T[]): T | undefined => {
    const value = fields[field];
    if (value === undefined || value === null) return undefined;
    return values.find((one) => one === value) ?? wrong(field, `\`${field}\` is none of ${values.join(', ')}; it was left out`);
  };
  const fatal = whyUnusable(fields);
  if (fatal !== undefined)
    return { problems: [{ file, line: lineOf(fatal.field), message: `${fatal.why}; the agent is not loaded`, fatal: true }] };

  for (const field of Object.keys(fields)) {
    if (FIELDS.includes(field)) continue;
    const near = nearest(field, FIELDS);
    wrong(field, `\`${field}\` is no field of an agent${near === undefined ? '' : `; did you mean ${near}?`}`);
  }
  const maxTurns = fields['maxTurns'];
  if (maxTurns !== undefined && !isCount(maxTurns)) wrong('maxTurns', '`maxTurns` is not a whole number from 1; it was left out');
  const background = fields['background'];
  if (background !== undefined && typeof background !== 'boolean')
    wrong('background', '`background` is neither true nor false; it was left out');
  for (const what of own.problems) wrong('hooks', what);
  const servers = fields['mcpServers'] ?? undefined;
  const mcpServers = servers === undefined ? undefined : readServers(servers);
  if (servers !== undefined && mcpServers === undefined)
    wrong('mcpServers', '`mcpServers` is no list of names and servers; it was left out');
  const definition: AgentDefinition = {
    name: String(fields['name']).trim(),
    description: String(fields['description']).trim(),
    prompt: body.trim(),
    scope,
    file,
    ...given('tools', list('tools')),
    ...given('disallowedTools', list('disallowedTools')),
    ...given('model', text('model')),
    ...given('permissionMode', oneOf('permissionMode', MODES)),
    ...given('maxTurns', isCount(maxTurns) ? maxTurns : undefined),
    ...given('hooks', own.hooks),
    ...given('mcpServers', mcpServers),
    ...given('memory', oneOf('memory', ['user', 'project', 'local'] as const)),
    ...given('skills', list('skills')),
    ...given('background', typeof background === 'boolean' ? background : undefined),
    ...given('effort', oneOf('effort', EFFORTS)),
    ...given('isolation', oneOf('isolation', ['worktree'] as const)),
    ...given('color', text('color')),
    ...given('initialPrompt', text('initialPrompt')),
    ...given('criticalReminder', text('criticalReminder')),
  };
  return { definition, problems };
}

function whyUnusable(fields: AgentSource['fields']): { readonly field: string; readonly why: string } | undefined {
  const { name, description, criticalReminder } = fields;
  const unusable = (field: string, why: string) => ({ field, why });
  if (typeof name !== 'string' || name.trim() === '') return unusable('name', '`name` is missing');
  if (name.includes(':')) return unusable('name', `the name ${name} holds a colon, which belongs to plugins`);
  if (name.trim().length > LONGEST_NAME || !/^[\p{L}\p{N}][\p{L}\p{N}_. -]*$/u.test(name.trim()))
    return unusable('name', `a name is made of letters, digits, - and _, at most ${LONGEST_NAME}`);
  if (typeof description !== 'string' || description.trim() === '') return unusable('description', '`description` is missing');
  // Without the words that matter most it would do what they forbid.
  if (typeof criticalReminder === 'string' && criticalReminder.trim().length > MOST_CRITICAL)
    return unusable(
      'criticalReminder',
      `\`criticalReminder\` has ${criticalReminder.trim().length} characters; ${MOST_CRITICAL} are allowed`,
    );
  return undefined;
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;

/** At commas outside parentheses: `Read, Bash(git log:*)`. */
function split(value: string): string[] {
  return value
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function given<Key extends string, T>(key: Key, value: T | undefined): { readonly [K in Key]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: T });
}
