/** What runs the hooks of a session, and where what they say later goes: to the model or to the person. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { answeringModel, hookExaminer, hookJudge } from '@sidenote/agent';
import { messageOf, type ModelAdapter } from '@sidenote/engine';
import {
  createHooks,
  digestOf,
  estimateTokens,
  projectFolder,
  projectRoot,
  readOwnHooks,
  systemClock,
  type ConfiguredHook,
  type HookAgent,
  type HookOutcome,
  type HookToolCall,
  type LocalHooks,
  type OwnHooks,
} from '@sidenote/node';
import { countAside } from './count-aside.js';
import { hookCondition } from './hook-condition.js';
import { deeper } from './hook-depth.js';
import type { PartOptions } from './part.js';

export interface HookRunner {
  /** Those of the session, and behind them those that are in use just now. `agent`: for a sub-agent, which is told who it is. */
  with(own: readonly OwnHooks[], agent?: HookAgent): LocalHooks;
  close(): Promise<void>;
}

/** Milliseconds that hooks beside the work have when the session ends. */
const LAST = 1_500;

export async function openHooks(options: PartOptions): Promise<HookRunner> {
  const { setup, id, folder, isKept, permissions, tools } = options;
  const { io, configDir, hooks } = setup;
  const judging = { adapter: (model: string | undefined) => judgeOf(model, options), spent: countAside(options) };
  const local = createHooks({
    hooks,
    cwd: io.cwd,
    env: deeper(io.env),
    projectDir: await projectRoot(io.cwd),
    session: { id, transcriptPath: isKept ? join(projectFolder({ cwd: io.cwd, configDir }), `${id}.jsonl`) : '' },
    folder,
    permissionMode: () => permissions.mode,
    meets: hookCondition({ cwd: io.cwd, home: io.home, tools }),
    judge: hookJudge(judging),
    examine: hookExaminer({
      ...judging,
      place: (cwd) => options.place({ cwd, mode: 'plan' }),
      limit: async () => options.loop().limit?.(),
      ports: { clock: systemClock(), ids: { next: randomUUID }, digest: digestOf, tokens: estimateTokens },
    }),
    callTool: (call, signal) => callTool(call, options, signal),
    late: (outcome, how) => void late(outcome, how, options),
  });
  const read = new WeakMap<OwnHooks, readonly ConfiguredHook[]>();
  const hooksOf = (own: OwnHooks): readonly ConfiguredHook[] => {
    const known = read.get(own) ?? readOwnHooks(own).hooks;
    read.set(own, known);
    return known;
  };
  return {
    with(own, agent) {
      const more = own.flatMap(hooksOf);
      if (agent === undefined) return local.including(more);
      // The turn of an agent ends with an event of its own.
      const ofAgent = more.map((hook) => (hook.event === 'Stop' ? { ...hook, event: 'SubagentStop' as const } : hook));
      return local.forAgent(agent).including(ofAgent);
    },
    close: () => local.close(LAST),
  };
}

/** Texts alone count, as of a command's output. */
async function callTool(
  { server, tool, input }: Parameters<HookToolCall>[0],
  { hub }: PartOptions,
  signal: AbortSignal,
): ReturnType<HookToolCall> {
  const outcome = await hub()?.call({ server, tool }, input, { signal });
  if (outcome === undefined) return { type: 'failed', why: `there is no MCP server ${server}: none is started in this session` };
  if (outcome.type === 'failed') return outcome;
  const text = outcome.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return outcome.isError ? { type: 'failed', why: text || 'the tool failed without a word' } : { type: 'done', text };
}

/** The small one of the provider where the session's model is one of its, else the session's own. */
function judgeOf(asked: string | undefined, { models, session, model: first }: PartOptions): ModelAdapter {
  if (asked !== undefined) return models.use(asked).adapter;
  const main = session()?.main;
  const own = (main === undefined ? undefined : answeringModel(main)) ?? first;
  return /claude/i.test(own) && models.pick('haiku').type === 'adapter' ? models.use('haiku').adapter : models.adapter(own);
}

/** Texts go out with the next message; a hook that wakes opens a turn with what it objects to. */
async function late(
  { texts, blocks, notes }: HookOutcome,
  { wake }: { readonly wake: boolean },
  { session: opened, tell, news }: PartOptions,
): Promise<void> {
  for (const { level, text } of notes) if (level === 'warning') tell(text);
  const session = opened();
  if (session === undefined) return;
  try {
    for (const { kind: _kind, ...said } of texts) session.main.attach('async_hook_response', said);
    for (const said of blocks) {
      if (wake) await session.notify({ text: `The hook ${said.hook} objects: ${said.text}`, trust: 'third-party', wake: true });
      else session.main.attach('async_hook_response', said);
    }
    if (wake) news();
  } catch (error) {
    tell(messageOf(error));
  }
}
