/** A skill that is the task of a sub-agent: its text is the prompt, and the answer comes back in its place. */
import type { Id, ToolOutcome } from '@sidenote/engine';
import { exactly } from '../permissions/path-pattern.js';
import type { LoadedSkill } from '../skills/skill-loader.js';
import { refused } from '../tools/outcome.js';
import type { AgentEvent } from '../loop/events.js';
import { outcomeOf } from './agent-tool.js';
import type { Subagents } from './subagents.js';

export type ForkedSkill = Extract<LoadedSkill, { readonly type: 'loaded' }>;

export type ForkOptions = {
  /** Undefined where no agents may be started. */
  readonly agents: Subagents | undefined;
  /** The thread that loads the skill. */
  readonly parent: Id;
  readonly signal: AbortSignal;
  readonly report: (agent: Id, event: AgentEvent) => void;
};

/** In the foreground. What the skill allows counts for the whole task, and so do its hooks. */
export async function forkSkill({ skill, text }: ForkedSkill, { agents, parent, ...watch }: ForkOptions): Promise<ToolOutcome> {
  const { name, agent: type = 'general-purpose', folder, grants, denies, hooks } = skill;
  const why = (what: string) => refused(`The skill ${name} runs in an agent, and none was started: ${what}`);
  if (agents === undefined) return why('there are no agents here.');
  const powers = { grants: [...grants, `Read(${exactly(folder)}/**)`], denies, ...(hooks === undefined ? {} : { hooks }) };
  const task = { type, description: `skill ${name}`, prompt: text, skill: powers, background: false, parent };
  const started = await agents.start(task, watch);
  return started.type === 'refused' ? why(started.why) : outcomeOf(started);
}
