/** Where a sub-agent works: its thread, its type, its tools and permissions, and a copy of the repository where it has one. */
import { join } from 'node:path';
import { openWorktree, type Worktree } from '@sidenote/node';
import type { Id, Ports, SpawnedAgent, Thread } from '@sidenote/engine';
import { answeringModel } from '../loop/answering-model.js';
import type { Mode } from '../permissions/contract.js';
import { gitPrograms } from '../permissions/shell/git-programs.js';
import { agentPrompt } from './agent-prompt.js';
import type { AgentType } from './agent-type.js';
import { allowedTools } from './allowed-tools.js';
import type { AgentExtras, SubagentOptions, Task, Workplace } from './contract.js';
import { offOf, portsOf } from './thread-options.js';

/** One thread with all that runs on it. */
export type Seat = {
  readonly thread: Thread;
  readonly type: AgentType | undefined;
  readonly place: Workplace;
  readonly worktree: Worktree | undefined;
  readonly extras: AgentExtras | undefined;
};

/** Why there is none, for the model. */
type NoSeat = { readonly why: string };
type SeatedAs = {
  /** Undefined: a copy of the conversation. */
  readonly type: AgentType | undefined;
  /** What was started for it; ended by whoever gets no seat. */
  readonly extras: AgentExtras | undefined;
  readonly signal: AbortSignal;
};

export interface Seats {
  /** For a new agent. */
  fresh(id: Id, task: Pick<Task, 'type' | 'isolation' | 'model' | 'name' | 'parent'>, as: SeatedAs): Promise<Seat | NoSeat>;
  /** For one that goes on where it ended. */
  again(agent: SpawnedAgent, as: SeatedAs): Promise<Seat | NoSeat>;
}

export function seatsFor(options: SubagentOptions): Seats {
  const { session } = options;
  return {
    async fresh(id, task, { type, extras, signal }) {
      const { model, params, skillTexts } = options;
      const isolated = task.isolation ?? type?.isolation;
      const worktree = isolated === undefined ? undefined : await worktreeOf(id, options, signal);
      if (worktree !== undefined && 'why' in worktree) return worktree;
      const equipped = equip(type, await placeOf(type, worktree, options), extras);
      const { place } = equipped;
      return seated({ ...equipped, worktree }, async () => {
        const member = memberOf(task.name, options);
        const shared = {
          id,
          agent: task.type,
          parent: task.parent,
          off: offOf(type, member !== undefined),
          ports: portsOf(type, place, member),
          ...(task.name === undefined ? {} : { name: task.name }),
          ...(worktree === undefined ? {} : { cwd: worktree.cwd }),
        };
        if (type === undefined) return session().spawn({ ...shared, from: 'fork' });
        const skills = type.skills === undefined ? [] : ((await skillTexts?.(type.skills)) ?? []);
        const whole = { ...type, prompt: [type.prompt, ...skills].join('\n\n') };
        const asked = task.model ?? type.model;
        const chosen = asked === undefined || asked === 'inherit' ? undefined : model(asked);
        const answering = chosen ?? answeringModel(await session().thread(task.parent));
        return session().spawn({
          ...shared,
          from: 'fresh',
          tools: allowedTools(place.tools, equipped.type ?? {}).map(({ spec }) => spec),
          system: (at) => [...agentPrompt(whole, place.environment(at.model)), ...(place.sections ?? [])],
          ...(chosen === undefined ? {} : { model: chosen }),
          ...(answering === undefined || (type.effort ?? chosen) === undefined ? {} : { params: params(answering, type.effort) }),
        });
      });
    },
    async again(agent, { type, extras, signal }) {
      const worktree = agent.cwd === undefined ? undefined : await worktreeOf(agent.thread, options, signal);
      if (worktree !== undefined && 'why' in worktree) return worktree;
      const equipped = equip(type, await placeOf(type, worktree, options), extras);
      return seated({ ...equipped, worktree }, () =>
        session().thread(agent.thread, { ports: portsOf(type, equipped.place, memberOf(agent.name, options)) }),
      );
    },
  };
}

/** The copy made for an agent that does not begin is left at once. */
async function seated(seat: Omit<Seat, 'thread'>, begin: () => Promise<Thread>): Promise<Seat> {
  try {
    return { ...seat, thread: await begin() };
  } catch (error) {
    await seat.worktree?.close();
    throw error;
  }
}

/** The tools of its servers are among those that it may have, before others of the same name. */
function equip(type: AgentType | undefined, place: Workplace, extras: AgentExtras | undefined): Pick<Seat, 'type' | 'place' | 'extras'> {
  if (type === undefined) return { type, place, extras };
  const { tools = [], ports = {} } = extras ?? {};
  const names = tools.map(({ spec }) => spec.name);
  const also = [...(place.alsoTools ?? []), ...names];
  return {
    type: type.tools === undefined ? type : { ...type, tools: [...type.tools, ...also] },
    place: {
      ...place,
      tools: [...place.tools.filter(({ spec }) => !names.includes(spec.name)), ...tools],
      ports: { ...place.ports, ...ports },
    },
    extras,
  };
}

const memberOf = (name: string | undefined, { member }: SubagentOptions): Partial<Ports> | undefined =>
  name === undefined ? undefined : member?.(name);

async function worktreeOf(
  id: Id,
  { cwd, env, worktrees, trusted = false }: SubagentOptions,
  signal: AbortSignal,
): Promise<Worktree | NoSeat> {
  const program = trusted ? null : await gitPrograms(cwd);
  if (program !== null)
    return {
      why: `No worktree is made here: git would run a program of the repository (${program}), and nobody has trusted this folder.`,
    };
  const opened = await openWorktree({ cwd, env, signal, folder: join(worktrees, id), branch: `sidenote/${id}` });
  return opened.type === 'open' ? opened.worktree : { why: `No worktree could be made: ${opened.why}.` };
}

/** A definition may ask for less than the session allows; for more only where the session's mode is the default one. */
async function placeOf(type: AgentType | undefined, worktree: Worktree | undefined, { workplace }: SubagentOptions): Promise<Workplace> {
  const own = await workplace({});
  const wanted: Mode | undefined = type?.permissionMode;
  const narrows = wanted === 'plan' || wanted === 'dontAsk';
  const mode =
    wanted !== undefined && wanted !== own.permissions.mode && (narrows || own.permissions.mode === 'default') ? wanted : undefined;
  const remembers = type?.memory !== undefined;
  if (mode === undefined && worktree === undefined && !remembers) return own;
  return workplace({
    ...(remembers ? { memoryOf: type } : {}),
    ...(worktree === undefined ? {} : { cwd: worktree.cwd }),
    ...(mode === undefined ? {} : { mode }),
  });
}
