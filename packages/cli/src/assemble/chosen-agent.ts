/** Which agents there are, and what `--agent` makes of a session. */
import { builtInTypes, type AgentType } from '@sidenote/agent';
import { nearest, type AgentFiles } from '@sidenote/node';
import { switched, text, type Flags } from '../flags/parse.js';
import { UsageError } from '../usage-error.js';

/** Built-in types, and those of definitions, which win. */
export function withBuiltIn(defined: ReadonlyMap<string, AgentType>): Map<string, AgentType> {
  return new Map([...builtInTypes.map((type) => [type.name, type] as const), ...defined]);
}

/** @throws {UsageError} for what `--agents` defines and can't be had. */
export async function checkGiven(agents: AgentFiles): Promise<void> {
  const fault = (await agents.read()).value.problems.find(({ file, fatal }) => file === '--agents' && fatal === true);
  if (fault !== undefined) throw new UsageError(`--agents: ${fault.message}`);
}

/** @throws {UsageError} for a name that no agent has. */
export async function chosenAgent(flags: Flags, agents: AgentFiles): Promise<AgentType | undefined> {
  const name = text(flags, 'agent');
  if (name === undefined) return undefined;
  const { value } = await agents.read();
  const types = withBuiltIn(value.agents);
  const found = types.get(name);
  if (found !== undefined) return found;
  const near = nearest(name, [...types.keys()]);
  const faults = value.problems.map(({ file, line, message }) => `\n${file}:${line}: ${message}`).join('');
  throw new UsageError(
    `--agent ${name}: there is no such agent${near === undefined ? '' : `; did you mean ${near}?`} (${[...types.keys()].join(', ')})${faults}`,
  );
}

/** Its first words, in a session that begins: beside those of the person, which they must not be taken for. */
export function withInitialPrompt(flags: Flags, agent: AgentType | undefined): Flags {
  const goesOn = switched(flags, 'continue') || switched(flags, 'resume');
  if (agent?.initialPrompt === undefined || goesOn) return flags;
  return { ...flags, initialPrompt: agent.initialPrompt };
}

/** Undefined: that of the session. */
export const modelOf = (agent: AgentType | undefined): string | undefined => (agent?.model === 'inherit' ? undefined : agent?.model);
