/** Sub-agents as a part of a session: the types that can be started, the tools that start and reach them, and their end. */
import { join } from 'node:path';
import {
  agentTool,
  builtInTypes,
  FORK,
  modelName,
  sendMessageTool,
  Subagents,
  type AgentType,
  type SubagentOptions,
  type Workplace,
} from '@sidenote/agent';
import type { Listed, Ports } from '@sidenote/engine';
import { systemClock } from '@sidenote/node';
import type { Part, PartOptions } from './part.js';
import { paramsOf } from './set-up.js';
import { surroundings } from './system-prompt.js';

const FORKS: Listed = { name: FORK, description: 'A copy of this conversation that does one thing more: it knows all that you know.' };

export function agentPart(options: PartOptions): Part {
  const { setup, models, session, place, tell, loop, news, folder } = options;
  const { io, configDir, agent } = setup;
  const types = agentTypes(options);
  const host: SubagentOptions = {
    session() {
      const open = session();
      if (open === undefined) throw new Error('the session is not open yet');
      return open;
    },
    types,
    async workplace(at): Promise<Workplace> {
      const environment = await surroundings(setup);
      const { laterTools } = loop();
      const own = { cwd: io.cwd, permissions: options.permissions, tools: options.tools(), ports: {} };
      const { cwd, ...rest } = at.cwd === undefined && at.mode === undefined ? own : place(at);
      return { ...rest, cwd, environment: (model) => environment(model, cwd), ...(laterTools === undefined ? {} : { laterTools }) };
    },
    adapter: (model) => models.adapter(model),
    model: (name) => models.use(modelName(name, io.env)).model,
    params: (model, effort) => ({ ...paramsOf(model, setup), ...(effort === undefined ? {} : { output_config: { effort } }) }),
    hooks: () => loop().hooks,
    clock: systemClock(),
    cwd: io.cwd,
    home: io.home,
    env: io.env,
    outputDir: folder,
    worktrees: join(configDir, 'worktrees'),
    notice: tell,
    news,
    ...(options.ask === undefined ? {} : { ask: options.ask }),
    ...(setup.fallbackModel === undefined ? {} : { fallbackModel: setup.fallbackModel }),
  };
  const agents = new Subagents(host);
  const tools = { ...host, agents };
  return {
    agents,
    tools: [agentTool(tools), sendMessageTool(tools)],
    ports: { agents: listing(types), ...reminder(agent) },
    environment: {
      async stopAgent(id) {
        const stopped = await agents.stop(id, 'TaskStop');
        return stopped === undefined ? undefined : `The agent ${id} was stopped.`;
      },
    },
    close: () => agents.dispose(),
  };
}

/** Built-in types, and those of definitions, which win; what a deny rule forbids is not among them. Faults are told once. */
function agentTypes({ setup, permissions, tools, tell }: PartOptions): SubagentOptions['types'] {
  const told = new Set<string>();
  return async () => {
    const { agents, problems } = (await setup.agents.read()).value;
    for (const { file, line, message } of problems) {
      const fault = `${file}:${line}: ${message}`;
      if (!told.has(fault)) tell(fault);
      told.add(fault);
    }
    const all = new Map<string, AgentType>([...builtInTypes.map((type) => [type.name, type] as const), ...agents]);
    const tool = tools().find(({ spec }) => spec.name === 'Agent');
    if (tool === undefined) return all;
    for (const name of all.keys()) {
      const input = { subagent_type: name };
      if ((await permissions.judge({ id: '', name: 'Agent', input }, tool, input)).type === 'deny') all.delete(name);
    }
    return all;
  };
}

function listing(types: SubagentOptions['types']): NonNullable<Ports['agents']> {
  return {
    async read() {
      const value = [...[...(await types()).values()].map(({ name, description }) => ({ name, description })), FORKS];
      return { type: 'ready', value, version: '' };
    },
  };
}

/** Of the agent that the session itself runs as. */
function reminder(agent: AgentType | undefined): Pick<Ports, 'criticalReminder'> {
  const value = agent?.criticalReminder;
  return value === undefined ? {} : { criticalReminder: { read: () => ({ type: 'ready', value, version: value }) } };
}
