/** The sub-agents of one session: started, written to, gone on with, and all ended when the session closes. */
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { messageOf } from '@sidenote/engine';
import type { Worktree } from '@sidenote/node';
import type { Id, SpawnedAgent } from '@sidenote/engine';
import type { AgentEvent, TurnResult } from '../loop/events.js';
import { runTurn } from '../loop/turn.js';
import { agentHooks, type AgentHooks } from './agent-hooks.js';
import { FORK, type AgentType } from './agent-type.js';
import { allowedTools, granting, isAllowed, narrowed, unknownEntries } from './allowed-tools.js';
import { fitAnswer, inert } from './answer-text.js';
import { beginnings } from './beginnings.js';
import type { AgentAnswer, AgentStatus, SubagentOptions, Task } from './contract.js';
import { firstRequests } from './first-requests.js';
import { seatsFor, type Seat } from './seats.js';

/** Agents within agents, and agents at a time. */
export const DEEPEST = 3;
export const MOST_AT_ONCE = 20;
/** Turns that messages may add to a task. */
const MOST_TURNS = 20;
/** Names that messages use for others. */
const RESERVED = ['main', 'lead', '*'];
/** What a folder can be called, and a line can hold. */
const NAME = /^[\w-]{1,64}$/;
const MESSAGED = 'Messages came while you finished; they stand above. Go on if they ask for something, and answer anew.';

export type Started =
  | { readonly type: 'started'; readonly id: Id; readonly notes: readonly string[]; readonly answer: Promise<AgentAnswer> }
  | { readonly type: 'refused'; readonly why: string };

type Watch = { readonly signal: AbortSignal; readonly report: (id: Id, event: AgentEvent) => void };
type Running = { status: AgentStatus; closing: boolean; readonly abort: AbortController; readonly ended: Promise<AgentAnswer> };
/** Identity: the agents that run. What they said and who they are is in the transcript. */
export class Subagents {
  readonly #options: SubagentOptions;
  readonly #agents = new Map<Id, Running>();
  readonly #background = new Set<Promise<void>>();
  readonly #gate = firstRequests();
  readonly #seats: ReturnType<typeof seatsFor>;
  readonly #beginnings: ReturnType<typeof beginnings>;
  #isOver = false;

  constructor(options: SubagentOptions) {
    this.#options = options;
    this.#seats = seatsFor(options);
    this.#beginnings = beginnings(options);
  }

  /** Oldest first, those that ended in this process included. */
  list(): readonly AgentStatus[] {
    return [...this.#agents.values()].map(({ status }) => status);
  }

  /** False from the moment from which it takes no more messages. */
  isRunning(id: Id): boolean {
    const running = this.#agents.get(id);
    return running?.status.state === 'running' && !running.closing;
  }

  types(): Promise<ReadonlyMap<string, AgentType>> {
    return this.#options.types();
  }

  /** The agent of this id or name, started by this process or an earlier one. */
  find(name: string): SpawnedAgent | undefined {
    const { agents } = this.#options.session();
    return agents.find(({ thread }) => thread === name) ?? agents.findLast((agent) => agent.name === name);
  }

  /** How deep a thread lies: 0 for the main one. */
  depth(thread: Id): number {
    const { agents } = this.#options.session();
    let depth = 0;
    for (let at = thread; depth <= DEEPEST; depth++) {
      const agent = agents.find((one) => one.thread === at);
      if (agent === undefined) break;
      at = agent.parent;
    }
    return depth;
  }

  start(task: Task, watch: Watch): Promise<Started> {
    return this.#beginnings.next(watch.signal, async (extras) => {
      const refusal = this.#whyNot(task.parent);
      if (refusal !== undefined) return refused(refusal);
      const types = await this.#options.types();
      const giver = types.get(this.find(task.parent)?.agent ?? '');
      if (giver !== undefined && !isAllowed('Agent', giver)) return refused(`The definition of ${giver.name} gives it no agents.`);
      const type = types.get(task.type);
      if (type === undefined && task.type !== FORK)
        return refused(`There is no agent type ${task.type}. Types: ${[...types.keys(), FORK].join(', ')}.`);
      if (task.name !== undefined && !NAME.test(task.name))
        return refused('A name is made of letters a to z, digits, - and _, at most 64.');
      if (task.name !== undefined && (RESERVED.includes(task.name) || this.find(task.name) !== undefined))
        return refused(`The name ${task.name} is taken: choose another, or write to that agent with SendMessage.`);
      const lacking = this.#beginnings.lacking(type, extras);
      if (lacking !== undefined) return lacking;
      const id = `${slug(task.type)}-${randomBytes(4).toString('hex')}`;
      const seat = await this.#seats.fresh(id, task, { type, extras, signal: watch.signal });
      if ('why' in seat) return refused(seat.why);
      const missing = type === undefined ? [] : unknownEntries(seat.place.tools, type);
      const notes = [
        ...(missing.length === 0 ? [] : [`its definition names tools that are not there: ${missing.join(', ')}`]),
        ...(extras?.notes ?? []),
      ];
      return { type: 'started', id, notes, answer: this.#run(seat, task, watch) } as const;
    });
  }

  /** Goes on with an agent that has ended, also of an earlier process. `running`: someone else was quicker, and it works already. */
  resume(
    agent: SpawnedAgent,
    task: Pick<Task, 'description' | 'prompt' | 'background'>,
    watch: Watch,
  ): Promise<Started | { readonly type: 'running' }> {
    return this.#beginnings.next(watch.signal, async (extras) => {
      if (this.isRunning(agent.thread)) return { type: 'running' } as const;
      const refusal = this.#whyNot(agent.parent);
      if (refusal !== undefined) return refused(refusal);
      await this.#agents.get(agent.thread)?.ended;
      const type = (await this.#options.types()).get(agent.agent);
      const lacking = this.#beginnings.lacking(type, extras);
      if (lacking !== undefined) return lacking;
      const seat = await this.#seats.again(agent, { type, extras, signal: watch.signal });
      if ('why' in seat) return refused(seat.why);
      const answer = this.#run(seat, { ...task, type: agent.agent, name: agent.name, parent: agent.parent }, watch);
      return { type: 'started', id: agent.thread, notes: extras?.notes ?? [], answer } as const;
    });
  }

  /** Ends one; resolves when it is idle. Undefined: it does not run. */
  async stop(id: Id, why: string): Promise<AgentAnswer | undefined> {
    const running = this.#agents.get(id);
    if (running?.status.state !== 'running') return undefined;
    running.abort.abort(why);
    return running.ended;
  }

  /** Work of the background, told included: counted until it is through. */
  inBackground(work: Promise<void>): void {
    this.#background.add(work);
    void work.finally(() => this.#background.delete(work));
  }

  /** True until the main thread has been told of the last one. */
  get runsInBackground(): boolean {
    return this.#background.size > 0;
  }

  /** Resolves when the main thread was told of one; at once when none runs. */
  async oneEnds(signal: AbortSignal): Promise<void> {
    if (this.#background.size === 0 || signal.aborted) return;
    let stop: () => void = () => undefined;
    const aborted = new Promise<void>((resolve) => {
      stop = resolve;
    });
    signal.addEventListener('abort', stop, { once: true });
    await Promise.race([...this.#background, aborted]);
    signal.removeEventListener('abort', stop);
  }

  /** Ends all of them. Nothing begins from then on. */
  async dispose(): Promise<void> {
    this.#isOver = true;
    await this.#beginnings.end();
    await Promise.all([...this.#agents.keys()].map((id) => this.stop(id, 'the session ended')));
    await Promise.all(this.#background);
  }

  #whyNot(parent: Id): string | undefined {
    if (this.#isOver) return 'The session is ending.';
    if (this.depth(parent) >= DEEPEST) return `Agents go ${DEEPEST} deep: do this one's work yourself.`;
    const running = [...this.#agents.values()].filter(({ status }) => status.state === 'running').length;
    return running >= MOST_AT_ONCE ? `${MOST_AT_ONCE} agents run already: wait until one has ended.` : undefined;
  }

  #run(seat: Seat, task: Omit<Task, 'model' | 'isolation'>, { signal, report }: Watch): Promise<AgentAnswer> {
    const { id } = seat.thread;
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const stop = (): void => abort.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const started = this.#options.clock.now();
    const status: AgentStatus = {
      id,
      type: task.type,
      description: task.description,
      state: 'running',
      usd: 0,
      background: task.background,
      startedAt: started,
      ...(task.name === undefined ? {} : { name: task.name }),
    };
    const closing = (): void => void (running.closing = true);
    const ended = this.#work(seat, task, { signal: abort.signal, report, closing }).then((answer) => {
      signal.removeEventListener('abort', stop);
      running.status = { ...status, state: answer.state, usd: answer.usd, endedAt: this.#options.clock.now() };
      return answer;
    });
    const running: Running = { status, closing: false, abort, ended };
    this.#agents.set(id, running);
    return ended;
  }

  /** Never rejects: what goes wrong is the answer. */
  async #work(seat: Seat, task: Pick<Task, 'prompt' | 'background' | 'skill'>, watch: Watch & { closing(): void }): Promise<AgentAnswer> {
    const { signal, report, closing } = watch;
    const { thread, type, worktree, extras, place } = seat;
    let [words, steps, state]: [string, number, AgentAnswer['state']] = ['', 0, 'done'];
    let usd: number | null = 0;
    try {
      let prompt = task.prompt;
      const hooks = this.#options.hooks?.();
      const own =
        hooks === undefined
          ? undefined
          : agentHooks(hooks, {
              id: thread.id,
              type: type?.name ?? FORK,
              own: definedOf([type?.hooks, task.skill?.hooks]),
              cwd: place.cwd,
            });
      for (let turn = 0; turn < MOST_TURNS && (turn === 0 || thread.hasMessages) && state === 'done'; turn++) {
        let last = '';
        for await (const event of this.#turn(seat, { ...task, prompt, ...(turn === 0 ? own : { hooks: own?.hooks }) }, signal)) {
          report(thread.id, event);
          if (event.type === 'response-ended') last = textIn(event.message.content) || last;
          if (event.type !== 'turn-ended') continue;
          const { reason, text } = event.result;
          steps += event.result.steps;
          usd = usd === null || event.result.usd === null ? null : usd + event.result.usd;
          state = STOPPED.has(reason) ? 'stopped' : reason === 'failed' ? 'failed' : 'done';
          words = reason === 'done' ? text || last : [last, `(${text})`].filter(Boolean).join('\n\n');
        }
        prompt = MESSAGED;
      }
    } catch (error) {
      [state, words] = ['failed', messageOf(error)];
    }
    closing();
    await extras?.close();
    const kept = worktree === undefined ? '' : await leave(worktree);
    const answer = await fitAnswer(words.trim() === '' ? '(it said nothing)' : inert(words), this.#fileOf(thread.id));
    return { state, steps, usd, text: answer + kept };
  }

  #turn(
    { thread, type, place }: Seat,
    { prompt, background, skill, hooks, starting }: Pick<Task, 'prompt' | 'background' | 'skill'> & AgentHooks,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, void, void> {
    const { session, clock, random, fallbackModel, compaction, ask, home, adapter, limit } = this.#options;
    const lists = type ?? {};
    const later = place.laterTools;
    return runTurn(
      { content: [{ type: 'text', text: prompt }], origin: 'peer' },
      {
        session: session(),
        thread,
        tools: allowedTools(place.tools, lists),
        ...(later === undefined ? {} : { laterTools: (name: string) => (isAllowed(name, lists) ? later(name) : undefined) }),
        permissions: granting(narrowed(place.permissions, lists, { cwd: place.cwd, home }), skill),
        adapter: this.#gate(adapter),
        clock,
        // Nobody looks at what runs in the background, so nobody is asked.
        ...(ask === undefined || background ? {} : { ask }),
        ...(hooks === undefined ? {} : { hooks, starting }),
        ...(limit === undefined ? {} : { limit }),
        ...(random === undefined ? {} : { random }),
        ...(fallbackModel === undefined ? {} : { fallbackModel }),
        ...(compaction === undefined ? {} : { compaction }),
        ...(type?.maxTurns === undefined ? {} : { maxSteps: type.maxTurns }),
      },
      signal,
    );
  }

  #fileOf(id: Id): string {
    return join(this.#options.outputDir, `answer-${id}-${randomBytes(3).toString('hex')}.md`);
  }
}

/** Ways in which a turn ends that are not the agent's own. */
const STOPPED: ReadonlySet<TurnResult['reason']> = new Set(['interrupted', 'stopped', 'max-budget-usd', 'max-budget-tokens']);

const refused = (why: string) => ({ type: 'refused', why }) as const;

const definedOf = <T>(values: readonly (T | undefined)[]): readonly T[] => values.filter((one) => one !== undefined);

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40) || 'agent';

function textIn(content: readonly { readonly type: string }[]): string {
  return content.flatMap((block) => ('text' in block && typeof block.text === 'string' ? [block.text] : [])).join('');
}

/** Said where work stays behind. */
async function leave(worktree: Worktree): Promise<string> {
  return (await worktree.close()) === 'removed' ? '' : `\n\nIts changes are in the worktree ${worktree.cwd}.`;
}
