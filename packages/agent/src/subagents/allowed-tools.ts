/** Which tools a sub-agent gets, and which calls of them: what its definition names, enforced where calls run as well. */
import { currentToolName } from '@sidenote/node';
import type { Decision, Permissions } from '../permissions/contract.js';
import { createPermissions } from '../permissions/permissions.js';
import type { AnyTool } from '../tools/tool.js';
import type { AgentType } from './agent-type.js';
import type { SkillPowers } from './contract.js';

type Lists = Pick<AgentType, 'tools' | 'disallowedTools'>;

/** `Bash(git log:*)` → `Bash`. */
const nameIn = (entry: string): string => currentToolName(entry.replace(/\(.*$/s, '').trim());
const isWhole = (entry: string): boolean => !entry.includes('(') || /\(\s*\*?\s*\)$/.test(entry);

/** `mcp__server` and `mcp__server__*` stand for all tools of a server, `*` for all tools. */
function names(entry: string, tool: string): boolean {
  const name = nameIn(entry);
  if (name === tool || name === '*') return true;
  if (!name.startsWith('mcp__')) return false;
  return name.endsWith('*') ? tool.startsWith(name.slice(0, -1)) : tool.startsWith(`${name}__`);
}

/** Whether the agent is given a tool of this name at all. */
export function isAllowed(tool: string, { tools, disallowedTools = [] }: Lists): boolean {
  if (disallowedTools.some((entry) => isWhole(entry) && names(entry, tool))) return false;
  return tools === undefined || tools.some((entry) => names(entry, tool));
}

export function allowedTools(all: readonly AnyTool[], lists: Lists): readonly AnyTool[] {
  return all.filter(({ spec }) => isAllowed(spec.name, lists));
}

/** Entries that name no tool there is: said, since the agent will lack it. */
export function unknownEntries(all: readonly AnyTool[], { tools = [] }: Lists): readonly string[] {
  return tools.filter((entry) => !nameIn(entry).startsWith('mcp__') && !all.some(({ spec }) => names(entry, spec.name)));
}

/** The permissions it works under, narrowed where its definition names only some calls of a tool. */
export function narrowed(
  permissions: Permissions,
  { tools = [], disallowedTools = [] }: Lists,
  where: { readonly cwd: string; readonly home: string },
): Permissions {
  const only = tools.filter((entry) => !isWhole(entry));
  const never = disallowedTools.filter((entry) => !isWhole(entry));
  if (only.length === 0 && never.length === 0) return permissions;
  const allowing = createPermissions({ ...where, mode: 'dontAsk', rules: { allow: only } });
  const denying = createPermissions({ ...where, mode: 'bypassPermissions', rules: { deny: never } });
  const limited = (tool: string): boolean =>
    only.some((entry) => names(entry, tool)) && !tools.some((entry) => isWhole(entry) && names(entry, tool));
  return {
    get mode() {
      return permissions.mode;
    },
    allow: (rules) => permissions.allow(rules),
    async judge(call, tool, input, brought): Promise<Decision> {
      const refusal = (why: string): Decision => ({ type: 'deny', why });
      if ((await denying.judge(call, tool, input)).type === 'deny') return refusal('the agent’s definition forbids it');
      const free = !limited(tool.spec.name) || (await allowing.judge(call, tool, input)).type === 'allow';
      return free ? permissions.judge(call, tool, input, brought) : refusal(`the agent’s definition allows only ${only.join(', ')}`);
    },
  };
}

/** With rules that count for the whole of a task. */
export function granting(permissions: Permissions, skill: Pick<SkillPowers, 'grants' | 'denies'> | undefined): Permissions {
  if (skill === undefined) return permissions;
  const { grants, denies = [] } = skill;
  return {
    get mode() {
      return permissions.mode;
    },
    allow: (more) => permissions.allow(more),
    judge: (call, tool, input, { allow = [], deny = [] } = {}) =>
      permissions.judge(call, tool, input, { allow: [...grants, ...allow], deny: [...denies, ...deny] }),
  };
}
