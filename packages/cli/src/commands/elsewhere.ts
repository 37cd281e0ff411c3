/** Slash commands that people know from other agents and that go by another name here. */

const INSTEAD: Readonly<Record<string, string>> = {
  bashes: '/tasks lists what runs in the background',
  config: 'settings are files: sidenote doctor says which, and what each of them sets',
  doctor: 'run sidenote doctor in a shell',
  export: 'run sidenote sessions export in a shell',
  fork: 'sidenote -c --fork-session goes on in a copy',
  hooks: 'hooks stand in settings: sidenote doctor lists what would run, and when',
  init: 'ask for an AGENTS.md in words; sidenote lint checks it',
  permissions: 'rules stand in settings (docs/permissions.md); shift+tab changes the mode',
  rewind: 'edits are not taken back: git does that, and /new begins again',
  settings: 'settings are files: sidenote doctor says which, and what each of them sets',
  skills: '/help lists them with all other commands',
  status: '/context, /cost and /mcp each say their part; sidenote doctor the rest',
  todos: 'open ones stand above the line that you type in',
  usage: '/cost says what this session took',
};

/** What to do here instead; undefined: the name is not known from elsewhere. */
export function insteadOf(name: string): string | undefined {
  return Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
}
