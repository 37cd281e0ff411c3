/** Hooks of the type `agent`: a model looks around in the project, reading only, before it judges what happens. */
import { MemoryStore, openSession, type Aside, type ModelAdapter, type Ports } from '@sidenote/engine';
import type { HookJudge } from '@sidenote/node';
import type { Permissions } from '../permissions/contract.js';
import type { AnyTool } from '../tools/tool.js';
import { JUDGE } from './judge-hook.js';
import type { SpendingLimit } from './limit.js';
import { runTurn } from './turn.js';

/** Tools that it has, where the place has them. */
const TOOLS = ['Read', 'Grep', 'Glob'];
/** Responses until it has to have answered. */
const MOST_STEPS = 50;
const TASK = `${JUDGE} Look at files first where the rule can't be judged by the event alone; you only read. Your last message is the answer.`;

export type ExamineOptions = {
  /** For the model that a hook names, or the usual one. */
  readonly adapter: (model: string | undefined) => ModelAdapter;
  /** What it looks with in a folder: all tools there, and what may be called. */
  readonly place: (cwd: string) => { readonly tools: readonly AnyTool[]; readonly permissions: Permissions };
  readonly ports: Pick<Ports, 'clock' | 'ids' | 'digest' | 'tokens'>;
  /** Hears what each response took. */
  readonly spent?: (aside: Aside) => void | Promise<void>;
  /** Asked before each response: what it takes counts for the session's limit. */
  readonly limit?: SpendingLimit;
};

/** Nothing of it is kept, nobody is asked, and no hooks run for it. It rejects when the model does. */
export function hookExaminer({ adapter, place, ports, spent, limit }: ExamineOptions): HookJudge {
  return async ({ rule, model, cwd }, signal) => {
    const chosen = adapter(model);
    const { tools: all, permissions } = place(cwd);
    const tools = all.filter(({ spec }) => TOOLS.includes(spec.name));
    const session = await openSession({
      model: chosen.profile.model,
      tools: tools.map(({ spec }) => spec),
      system: TASK,
      store: new MemoryStore({ digest: ports.digest }),
      ports,
      kinds: [],
      profile: () => chosen.profile,
    });
    try {
      const turn = runTurn(
        { content: [{ type: 'text', text: rule }], origin: 'task' },
        {
          session,
          thread: session.main,
          tools,
          permissions,
          adapter: () => chosen,
          clock: ports.clock,
          maxSteps: MOST_STEPS,
          ...(limit === undefined ? {} : { limit }),
        },
        signal,
      );
      for await (const event of turn) {
        if (event.type === 'response-ended') await spent?.({ model: chosen.profile.model, usage: event.message.usage });
        if (event.type !== 'turn-ended') continue;
        if (event.result.reason === 'done') return event.result.text;
        throw event.result.error ?? new Error(event.result.text);
      }
      throw new Error('it ended without an answer');
    } finally {
      await session.close();
    }
  };
}
