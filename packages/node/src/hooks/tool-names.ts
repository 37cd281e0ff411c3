/** Names of tools as people write them: those of before count on, and so does another case. */

/** `Agent` was `Task`. */
const FORMER: Readonly<Record<string, string>> = { Task: 'Agent' };

const BUILT_IN = [
  'Agent',
  'AskUserQuestion',
  'Bash',
  'CallTool',
  'Edit',
  'EnterPlanMode',
  'ExitPlanMode',
  'Glob',
  'Grep',
  'ListMcpResources',
  'Monitor',
  'Read',
  'ReadMcpResource',
  'SendMessage',
  'Skill',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskOutput',
  'TaskStop',
  'TaskUpdate',
  'TodoWrite',
  'ToolSearch',
  'Write',
];

const CURRENT: ReadonlyMap<string, string> = new Map([
  ...BUILT_IN.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(FORMER).map(([former, name]) => [former.toLowerCase(), name] as const),
]);

/** The name of now: `Task` and `agent` are `Agent`, and what no built-in tool is called stays. */
export function currentToolName(name: string): string {
  return CURRENT.get(name.toLowerCase()) ?? name;
}

/** All names that hit this tool, letter for letter. */
export function namesThatHit(name: string): readonly string[] {
  return [name, ...Object.keys(FORMER).filter((former) => FORMER[former] === name)];
}
