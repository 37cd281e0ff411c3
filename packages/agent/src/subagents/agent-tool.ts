/** `Agent`: gives a task to a sub-agent, and waits for its answer or lets it work in the background. */
import { messageOf, taskTold, type Id, type ToolOutcome } from '@sidenote/engine';
import { isScript } from '../models/pick.js';
import { choice, flag, inputOf, optional, text } from '../tools/input.js';
import { refused, said } from '../tools/outcome.js';
import type { Tool } from '../tools/tool.js';
import { FORK } from './agent-type.js';
import type { AgentAnswer, SubagentOptions } from './contract.js';
import type { Started, Subagents } from './subagents.js';
import type { Team } from '../team/team.js';

export type AgentInput = {
  readonly description: string;
  readonly prompt: string;
  readonly subagent_type: string | undefined;
  readonly model: string | undefined;
  readonly run_in_background: boolean | undefined;
  readonly isolation: 'worktree' | undefined;
  readonly name?: string | undefined;
};

export type AgentToolOptions = Pick<SubagentOptions, 'session' | 'notice' | 'news' | 'background'> & {
  readonly agents: Subagents;
  /** Named agents are members of it. Absent: agents have no names. */
  readonly team?: Pick<Team, 'join' | 'idle'>;
};

const NEVER = new AbortController().signal;

export function agentTool(options: AgentToolOptions): Tool<AgentInput> {
  const { agents, session } = options;
  const input = inputOf('Agent', {
    description: text('3 to 5 words'),
    prompt: text('the whole task: the agent knows nothing of this conversation'),
    subagent_type: optional(text(`default general-purpose; ${FORK}: a copy of this conversation, which knows all of it`)),
    model: optional(text('default: this one')),
    run_in_background: optional(flag('you are told when it ends')),
    isolation: optional(choice(['worktree'], 'in a copy of the repository')),
    ...(options.team === undefined ? {} : { name: optional(text('makes it a member of your team, to write to by this name')) }),
  });
  return {
    spec: {
      name: 'Agent',
      description:
        'Give a task to a sub-agent; its last message comes back. Several in one step run side by side. Types are listed in reminders. Use it for searches and tasks whose details you need not see.',
      input_schema: input.schema,
    },
    // Each of its calls is judged by itself.
    access: 'read',
    parse: input.parse,
    title: ({ description, subagent_type }) => `Agent ${subagent_type ?? 'general-purpose'}: ${description}`,
    async run(asked, { signal, call, thread, report }): Promise<ToolOutcome> {
      if (asked.model !== undefined && isScript(asked.model))
        return refused('A script runs commands: only a person chooses one as a model.');
      const type = asked.subagent_type ?? 'general-purpose';
      const wanted = asked.run_in_background ?? (await agents.types()).get(type)?.background ?? false;
      // Only the main thread is there to be told later.
      const background = wanted && thread === session().id;
      const task = {
        type,
        description: asked.description,
        prompt: asked.prompt,
        model: asked.model,
        isolation: asked.isolation,
        name: asked.name,
        background,
        parent: thread,
      };
      const started = await agents.start(task, {
        signal: background ? NEVER : signal,
        report: (agent, event) =>
          background ? options.background?.(agent, event) : report({ type: 'subagent-progressed', call, agent, event }),
      });
      if (started.type === 'refused') return refused(started.why);
      const { id } = started;
      if (asked.name !== undefined) await options.team?.join({ name: asked.name, role: type });
      if (background) {
        agents.inBackground(announce(started.answer, { ...options, id, name: asked.name, what: `${type}: ${asked.description}` }));
        return said(
          `Started in the background as ${id}. You will be told when it ends; SendMessage writes to it, TaskStop ends it.${aboutIt(started)}`,
          { effects: [taskTold({ id, state: 'running' })] },
        );
      }
      return outcomeOf(started, wanted ? '\n(It ran in the foreground: only the main agent has a background.)' : '');
    },
  };
}

/** What it was to have and has not, for the end of a result. */
export const aboutIt = ({ notes }: Pick<Extract<Started, { readonly type: 'started' }>, 'notes'>): string =>
  notes.map((note) => `\n(${note})`).join('');

/** What an agent in the foreground gives back; `foot` stands at its end. */
export async function outcomeOf(started: Extract<Started, { readonly type: 'started' }>, foot = ''): Promise<ToolOutcome> {
  const { state, text: words, steps } = await started.answer;
  const whole = `${words}\n\n[${started.id}, ${steps} ${steps === 1 ? 'response' : 'responses'}; SendMessage goes on with it]${foot}${aboutIt(started)}`;
  if (state === 'done') return said(whole);
  return refused(state === 'failed' ? `The agent failed: ${whole}` : `The agent was stopped. ${whole}`);
}

type About = Pick<AgentToolOptions, 'session' | 'notice' | 'news' | 'team'> & {
  readonly id: Id;
  readonly name: string | undefined;
  readonly what: string;
};

/** Tells the main thread how an agent in the background ended: a member of a team by mail, any other by a notification. */
export async function announce(answer: Promise<AgentAnswer>, about: About): Promise<void> {
  const { session, notice, news, team, id, name, what } = about;
  const { state, text: words } = await answer;
  const line = `Agent ${id} (${what.replaceAll(/\s+/g, ' ')}) ${state === 'done' ? 'is done' : state === 'failed' ? 'failed' : 'was stopped'}`;
  notice?.(line);
  try {
    if (name !== undefined && team !== undefined) return await team.idle({ name, state, answer: words });
    await session().notify({ text: `${line}.\n${words}`, trust: 'third-party', wake: true, task: { id, state } });
    news?.();
  } catch (error) {
    notice?.(`${line}, and could not be told: ${messageOf(error)}`);
  }
}
