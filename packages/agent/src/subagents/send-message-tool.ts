/** `SendMessage`: words to an agent that runs, to one that has ended and goes on with them, to the main one, or to all. */
import type { Id, SpawnedAgent, ToolOutcome } from '@sidenote/engine';
import { inputOf, text } from '../tools/input.js';
import { refused, said } from '../tools/outcome.js';
import type { Tool, ToolContext } from '../tools/tool.js';
import type { Post } from './contract.js';
import { aboutIt, announce, type AgentToolOptions } from './agent-tool.js';

export type SendMessageInput = { readonly to: string; readonly message: string };

export type SendMessageOptions = AgentToolOptions & {
  /** Asked first: a team's members have mailboxes. Default: there is no team. */
  readonly post?: Post;
};

const MAIN = 'main';
const WAITING = 'A message for you stands above: go on with it.';
const NEVER = new AbortController().signal;

export function sendMessageTool(options: SendMessageOptions): Tool<SendMessageInput> {
  const { agents, session, post } = options;
  const input = inputOf('SendMessage', { to: text(`an agent's id or name, ${MAIN}, or * for all`), message: text() });
  const nameOf = (thread: Id): string => {
    const agent = session().agents.find((one) => one.thread === thread);
    return agent === undefined ? MAIN : (agent.name ?? agent.thread);
  };
  return {
    spec: {
      name: 'SendMessage',
      description: 'Write to another agent. One that runs gets it with its next step; one that has ended goes on with it.',
      input_schema: input.schema,
    },
    access: 'read',
    parse: (value) => {
      const parsed = input.parse(value);
      return parsed.ok && parsed.input.message.trim() === '' ? { ok: false, message: 'message is empty' } : parsed;
    },
    title: ({ to, message }) => `SendMessage to ${to}: ${message.replaceAll(/\s+/g, ' ').slice(0, 60)}`,
    async run({ to, message }, context): Promise<ToolOutcome> {
      const from = nameOf(context.thread);
      const posted = await post?.({ from, to, text: message });
      if (posted !== undefined) return said(posted);
      if (to === '*') return broadcast(from, message, context);
      if (to === MAIN) return toMain(from, message);
      const agent = agents.find(to);
      if (agent === undefined) return refused(unknown(to));
      if (agent.thread === context.thread) return refused('That is you.');
      const woken = agents.isRunning(agent.thread) ? undefined : await resumed(agent, `Message from ${from}:\n${message}`, context);
      return woken ?? queued(agent, { from, text: message }, context);
    },
  };

  async function queued(agent: SpawnedAgent, message: { readonly from: string; readonly text: string }, context: ToolContext) {
    const thread = await session().thread(agent.thread);
    await thread.message(message);
    // It ended while this was written down.
    const ended = !agents.isRunning(agent.thread) && thread.hasMessages;
    const woken = ended ? await resumed(agent, WAITING, context) : undefined;
    return woken ?? said(`Sent to ${nameOf(agent.thread)}: it comes with its next step.`);
  }

  function unknown(to: string): string {
    const known = session().agents.map(({ name, thread }) => name ?? thread);
    return `There is no agent ${to}. ${known.length === 0 ? 'None was started yet.' : `Agents: ${known.slice(-20).join(', ')}.`}`;
  }

  async function toMain(from: string, message: string): Promise<ToolOutcome> {
    if (from === MAIN) return refused('That is you.');
    await session().notify({ text: `Message from agent ${from}:\n${message}`, trust: 'third-party', wake: true });
    options.news?.();
    return said('Sent to the main agent.');
  }

  async function broadcast(from: string, message: string, { thread }: ToolContext): Promise<ToolOutcome> {
    const running = session().agents.filter((agent) => agent.thread !== thread && agents.isRunning(agent.thread));
    for (const agent of running) await (await session().thread(agent.thread)).message({ from, text: message });
    return said(
      running.length === 0 ? 'No other agent runs.' : `Sent to ${running.map((agent) => agent.name ?? agent.thread).join(', ')}.`,
    );
  }

  /**
   * From the main thread in the background, so that it can go on; from others in the foreground. Undefined: another message
   * has woken it meanwhile.
   */
  async function resumed(
    agent: SpawnedAgent,
    prompt: string,
    { thread, signal, call, report }: ToolContext,
  ): Promise<ToolOutcome | undefined> {
    const background = thread === session().id;
    const description = prompt.replaceAll(/\s+/g, ' ').slice(0, 60);
    const started = await agents.resume(
      agent,
      { description, prompt, background },
      {
        signal: background ? NEVER : signal,
        report: (id, event) =>
          background ? options.background?.(id, event) : report({ type: 'subagent-progressed', call, agent: id, event }),
      },
    );
    if (started.type === 'running') return undefined;
    if (started.type === 'refused') return refused(started.why);
    if (background) {
      agents.inBackground(
        announce(started.answer, { ...options, id: agent.thread, name: agent.name, what: `${agent.agent}: ${description}` }),
      );
      return said(
        `${agent.name ?? agent.thread} had ended and goes on with your message. You will be told when it ends.${aboutIt(started)}`,
      );
    }
    const { state, text: answer } = await started.answer;
    const whole = `${answer}${aboutIt(started)}`;
    return state === 'done' ? said(whole) : refused(whole);
  }
}
