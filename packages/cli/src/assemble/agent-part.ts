/** Sub-agents as a part of a session: the types that can be started, the tools that start and reach them, and their end. */
import { join } from 'node:path';
import {
  agentTool,
  announce,
  createTeam,
  LEAD,
  createSkillLoader,
  FORK,
  modelName,
  sendMessageTool,
  Subagents,
  type AgentType,
  type SubagentOptions,
  type Team,
  type Workplace,
} from '@sidenote/agent';
import type { Fold, Listed, Ports } from '@sidenote/engine';
import { mailboxes, systemClock } from '@sidenote/node';
import { agentMemory, type AgentMemory } from './agent-memory.js';
import { withBuiltIn } from './chosen-agent.js';
import { compactionPolicy } from './compaction-policy.js';
import type { Part, PartOptions } from './part.js';
import { PLAN_TOOLS } from './plan-part.js';
import { QUESTION_TOOLS } from './question-part.js';
import { modePort } from './session-mode.js';
import { paramsOf } from './params.js';
import { skillLibrary } from './skill-part.js';
import { surroundings } from './system-prompt.js';

const FORKS: Listed = { name: FORK, description: 'A copy of this conversation that does one thing more: it knows all that you know.' };

export function agentPart(options: PartOptions): Part {
  const { setup, models, session, place, tell, loop, news, folder } = options;
  const { io, configDir, agent } = setup;
  const once = tellOnce(tell);
  const types = agentTypes(options, once);
  const remembered = (type: AgentType): AgentMemory | undefined => {
    const memory = agentMemory(type, setup);
    if (typeof memory !== 'string') return memory;
    once(`the agent ${type.name} works without its memory: ${memory}`);
    return undefined;
  };
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
      const own = {
        cwd: io.cwd,
        permissions: options.permissions,
        tools: options.tools(),
        ports: modePort(() => options.permissions.mode),
      };
      const { memoryOf, ...where } = at;
      const memory = memoryOf === undefined ? undefined : remembered(memoryOf);
      const isElsewhere = where.cwd !== undefined || where.mode !== undefined || memory !== undefined;
      const { cwd, tools, ...rest } = isElsewhere ? place({ ...where, ...(memory === undefined ? {} : { memory }) }) : own;
      const offered = tools.filter(({ spec }) => ![...PLAN_TOOLS, ...QUESTION_TOOLS].includes(spec.name));
      return {
        ...rest,
        cwd,
        tools: offered,
        environment: (model) => environment(model, cwd),
        ...(laterTools === undefined ? {} : { laterTools }),
        ...(memory === undefined ? {} : { sections: memory.sections, alsoTools: memory.alsoTools }),
      };
    },
    adapter: (model) => models.adapter(model),
    model: (name) => models.use(modelName(name, io.env)).model,
    params: (model, effort) => ({ ...paramsOf(model, setup), ...(effort === undefined ? {} : { output_config: { effort } }) }),
    hooks: () => loop().hooks,
    limit: async () => loop().limit?.(),
    clock: systemClock(),
    cwd: io.cwd,
    home: io.home,
    env: io.env,
    outputDir: folder,
    worktrees: join(configDir, 'worktrees'),
    trusted: setup.trusted,
    compaction: compactionPolicy(setup),
    servers: async (type, signal) => (await import('./agent-servers.js')).startServers(type, options, signal),
    skillTexts: (names) => skillTexts(names, options),
    notice: tell,
    news,
    ...(options.ask === undefined ? {} : { ask: options.ask }),
    ...(setup.fallbackModel === undefined ? {} : { fallbackModel: setup.fallbackModel }),
  };
  const team = setup.team ? teamOf(options, host, () => agents) : undefined;
  const agents = new Subagents({ ...host, ...(team === undefined ? {} : { member: (name: string) => team.ports(name) }) });
  const tools = { ...host, agents, ...(team === undefined ? {} : { team, post: team.post }) };
  return {
    agents,
    tools: [agentTool(tools), sendMessageTool(tools)],
    ports: { agents: listing(types), ...reminder(agent), ...team?.ports(LEAD) },
    environment: {
      async stopAgent(id) {
        const stopped = await agents.stop(id, 'TaskStop');
        return stopped === undefined ? undefined : `The agent ${id} was stopped.`;
      },
    },
    close: () => agents.dispose(),
  };
}

const MAIL = 'There is mail for you; it stands above. Do what it asks, as far as it is your task.';

/** The team of this session: its mailboxes lie under its name, so a resumed session finds its mail. */
function teamOf({ setup, id, tell, tools }: PartOptions, host: SubagentOptions, agents: () => Subagents): Team {
  const name = `session-${id.slice(0, 8)}`;
  const team = createTeam({
    name,
    mailboxes: mailboxes({ folder: join(setup.configDir, 'teams', name), problem: tell }),
    session: host.session,
    ...(setup.coordinator ? { workerTools: () => tools().map(({ spec }) => spec.name) } : {}),
    news: () => host.news?.(),
    startedAt: (member) =>
      agents()
        .list()
        .findLast((status) => status.name === member)?.startedAt ?? 0,
    async wake(member) {
      const agent = agents().find(member);
      if (agent === undefined || agents().isRunning(agent.thread)) return;
      const watch = { signal: new AbortController().signal, report: () => {} };
      const started = await agents().resume(agent, { description: 'mail', prompt: MAIL, background: true }, watch);
      if (started.type === 'refused') tell(`${member} could not read its mail: ${started.why}`);
      else if (started.type === 'started')
        agents().inBackground(announce(started.answer, { ...host, team, id: agent.thread, name: member, what: 'mail' }));
    },
  });
  return team;
}

/** Built-in types, and those of definitions, which win; what a deny rule forbids is not among them. Faults are told once. */
function agentTypes({ setup, permissions, tools }: PartOptions, once: PartOptions['tell']): SubagentOptions['types'] {
  return async () => {
    const { agents, problems } = (await setup.agents.read()).value;
    for (const { file, line, message } of problems) once(`${file}:${line}: ${message}`);
    const all = withBuiltIn(agents);
    const tool = tools().find(({ spec }) => spec.name === 'Agent');
    if (tool === undefined) return all;
    for (const name of all.keys()) {
      const input = { subagent_type: name };
      if ((await permissions.judge({ id: '', name: 'Agent', input }, tool, input)).type === 'deny') all.delete(name);
    }
    return all;
  };
}

/** For what may come up again and again. */
function tellOnce(tell: PartOptions['tell']): PartOptions['tell'] {
  const told = new Set<string>();
  return (line) => {
    if (!told.has(line)) tell(line);
    told.add(line);
  };
}

/** What a definition names is loaded before the agent begins; what can't be is told. */
async function skillTexts(
  names: readonly string[],
  { setup, permissions, folder, id, session, tell }: PartOptions,
): Promise<readonly string[]> {
  const { cwd, env, home } = setup.io;
  const loader = createSkillLoader({
    library: skillLibrary(setup),
    permissions,
    environment: { cwd, env, home, outputDir: folder },
    sessionId: id,
    tell,
  });
  const blobs = session()?.blobs;
  if (blobs === undefined) return [];
  const from = { transcript: { read: <S>(fold: Fold<S>) => fold.initial() }, blobs, signal: new AbortController().signal };
  const texts: string[] = [];
  for (const name of names) {
    const loaded = await loader.load({ name, args: '', by: 'person', ...from });
    if (loaded.type === 'loaded') texts.push(`# Skill ${name}\n${loaded.text}`);
    else tell(`the skill ${name} of an agent could not be loaded${loaded.type === 'missing' ? '' : `: ${loaded.why}`}`);
  }
  return texts;
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
