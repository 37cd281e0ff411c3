/** Every flag of the command: its kind, and its place in the help. */

/** `text` takes a value, `list` may be repeated and separated by commas, `optional` may go without its value. */
export type FlagKind = 'switch' | 'text' | 'number' | 'list' | 'optional';

export type Flag = {
  readonly kind: FlagKind;
  readonly short?: string;
  /** What the value stands for, in the help. */
  readonly value?: string;
  /** The closed list of values. */
  readonly choices?: readonly string[];
  readonly help: string;
};

export const MODES = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export const INPUT_FORMATS = ['text', 'stream-json'] as const;

export const FLAGS = {
  print: { kind: 'switch', short: 'p', help: 'answer one prompt and exit; notices go to standard error' },
  'output-format': { kind: 'text', value: 'format', choices: OUTPUT_FORMATS, help: 'with -p: text (default), json or stream-json' },
  'input-format': { kind: 'text', value: 'format', choices: INPUT_FORMATS, help: 'with -p: text (default) or stream-json' },
  'include-partial-messages': { kind: 'switch', help: 'stream-json: also what arrives while a message grows' },
  'replay-user-messages': { kind: 'switch', help: 'stream-json: repeat each prompt on standard output' },
  verbose: { kind: 'switch', help: 'say what was injected, and why things are absent; with context: every text' },
  'max-turns': { kind: 'number', value: 'n', help: 'with -p: at most n model responses per prompt' },
  'max-budget-usd': { kind: 'number', value: 'amount', help: 'stop where the session has cost this much' },

  continue: { kind: 'switch', short: 'c', help: 'go on with the latest session of this directory' },
  resume: { kind: 'optional', short: 'r', value: 'id', help: 'go on with a session; without an id, choose one' },
  'fork-session': { kind: 'switch', help: 'with -c or -r: go on in a copy' },
  'session-id': { kind: 'text', value: 'uuid', help: 'id of the new session' },
  'no-session-persistence': { kind: 'switch', help: 'keep nothing on disk' },

  model: { kind: 'text', value: 'name', help: 'claude-…, opus, sonnet, haiku, openai:<name>, script:<file>, demo' },
  'fallback-model': { kind: 'text', value: 'name', help: 'model that steps in when the first does not answer' },
  effort: { kind: 'text', value: 'level', choices: EFFORTS, help: 'low, medium, high, xhigh or max' },
  'system-prompt': { kind: 'text', value: 'text', help: 'replace the system prompt' },
  'system-prompt-file': { kind: 'text', value: 'file', help: 'replace the system prompt by a file' },
  'append-system-prompt': { kind: 'text', value: 'text', help: 'add to the system prompt' },
  'append-system-prompt-file': { kind: 'text', value: 'file', help: 'add a file to the system prompt' },
  proactive: { kind: 'switch', help: 'go on with what is useful without being asked for each step' },
  agent: { kind: 'text', value: 'name', help: 'run as this agent' },
  agents: { kind: 'text', value: 'json', help: 'define agents: {"name": {"description": …, "prompt": …}}' },

  'add-dir': { kind: 'list', value: 'dir', help: 'further directories to work in' },
  bare: { kind: 'switch', help: 'no instruction files, no git, no settings of the project' },
  'setting-sources': { kind: 'list', value: 'list', help: 'which settings to read: user, project, local' },
  settings: { kind: 'text', value: 'file|json', help: 'further settings' },
  'mcp-config': { kind: 'list', value: 'file|json', help: 'further MCP servers' },
  'strict-mcp-config': { kind: 'switch', help: 'only the servers of --mcp-config' },

  'permission-mode': { kind: 'text', value: 'mode', choices: MODES, help: MODES.join(', ') },
  allowedTools: { kind: 'list', value: 'rules', help: 'run without asking: Read, Bash(git log:*), …' },
  disallowedTools: { kind: 'list', value: 'rules', help: 'never run' },
  tools: { kind: 'list', value: 'names', help: 'only these tools; "" for none, default for all' },
  'dangerously-skip-permissions': { kind: 'switch', help: 'never ask; as root only in a sandbox or container' },
  trust: { kind: 'switch', help: "trust this directory's settings" },

  json: { kind: 'switch', help: 'with context, lint, diff, sessions and doctor: print JSON' },
  debug: { kind: 'switch', help: 'on an error, print where it came from' },
  version: { kind: 'switch', short: 'v', help: 'print the version' },
  help: { kind: 'switch', short: 'h', help: 'print this help' },
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof FLAGS;

/** Other spellings that scripts bring along. */
export const SPELLINGS: Readonly<Record<string, FlagName>> = {
  'allowed-tools': 'allowedTools',
  'disallowed-tools': 'disallowedTools',
};

export const FLAG_NAMES = Object.keys(FLAGS) as readonly FlagName[];

export function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

/** Commands, and which of them are built. */
export const COMMANDS = ['context', 'lint', 'diff', 'sessions', 'doctor'] as const;
export const MISSING_COMMANDS = ['inspect', 'proxy', 'acp'] as const;
