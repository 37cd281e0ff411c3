/** `/agents`: which agents can be started here, and which were in this session. */
import type { AgentStatus, AgentType } from '@sidenote/agent';
import { inside } from '../inside.js';
import type { Command } from './command.js';
import { fit } from './rows.js';

export const agentsCommand: Command = {
  name: 'agents',
  summary: 'types of agents, and those of this session',
  async run({ conversation, width }) {
    const { agents, session, cwd } = conversation;
    if (agents === undefined) return { type: 'refused', text: 'there are no agents in this session' };
    const types = [...(await agents.types()).values()].map((type) => typeLine(type, cwd));
    const running = new Map(agents.list().map((status) => [status.id, status]));
    const started = session.agents.map(({ thread, name, agent }) => `  ${name ?? thread} (${agent}) ${stateOf(running.get(thread))}`);
    const text = ['Types', ...types, ...(started.length === 0 ? [] : ['', 'In this session', ...started])];
    return { type: 'text', text: text.map((line) => fit(line, width)).join('\n') };
  },
};

function typeLine({ name, description, file }: AgentType, cwd: string): string {
  return `  ${name.padEnd(18)} ${file === undefined ? 'built in' : inside(file, cwd)}: ${description.replaceAll(/\s+/g, ' ')}`;
}

/** What ran in an earlier process can be gone on with. */
function stateOf(status: AgentStatus | undefined): string {
  if (status === undefined) return 'of an earlier run';
  return `${status.state}: ${status.description.replaceAll(/\s+/g, ' ')}`;
}
