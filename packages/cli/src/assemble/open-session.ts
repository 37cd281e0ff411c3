/** Opens one session with all that belongs to it: ports, tools, permissions, background commands, agent. */
import {
  coordinatorTools,
  createAgent,
  folderPort,
  modeOfSession,
  type Agent,
  type Ask,
  type AskPlan,
  type AskQuestion,
  type Mode,
  type QuestionOptions,
  type Subagents,
} from '@sidenote/agent';
import { openSession, type Id, type Ports, type Session } from '@sidenote/engine';
import type { EditorLink, LanguageServers, LocalPorts, McpHub } from '@sidenote/node';
import type { PromptCommands } from '../commands/prompt-commands.js';
import type { BackgroundView } from '../conversation.js';
import { numeric } from '../flags/parse.js';
import { VERSION } from '../version.js';
import { agentMemory } from './agent-memory.js';
import { agentPart } from './agent-part.js';
import { backgroundWork } from './background-work.js';
import { companionOf } from './companion.js';
import { compactionPolicy } from './compaction-policy.js';
import { idePart, mayHaveEditor } from './ide-part.js';
import { liveHooks } from './live-hooks.js';
import { lspPart } from './lsp-part.js';
import { memoryPart } from './memory-part.js';
import type { Models } from './models.js';
import { outputFolder } from './output-folder.js';
import { budgetNotice, paramsOf } from './params.js';
import { joined, type Part } from './part.js';
import { configuredMode, isModeAsked } from './permission-options.js';
import { planFile, plansFolder } from './plan-file.js';
import { planPart, type PlanPartOptions } from './plan-part.js';
import { questionPart } from './question-part.js';
import { settleMode } from './session-mode.js';
import type { Setup } from './set-up.js';
import { skillPart } from './skill-part.js';
import { sessionStyles, stylePort, type SessionStyles } from './styles.js';
import { systemPrompt } from './system-prompt.js';
import { todoPart } from './todo-part.js';
import { usagePart } from './usage-part.js';
import { withoutGit, workplaces } from './workplaces.js';

export type Which =
  | { readonly type: 'new'; readonly id: Id }
  | { readonly type: 'resume'; readonly id: Id }
  /** `id` is the copy's. */
  | { readonly type: 'fork'; readonly from: Id; readonly id: Id };

export type Hooks = {
  /** Absent: nobody is there, and what would be asked is denied. */
  readonly ask?: Ask;
  /** Absent: nobody is there to approve a plan. */
  readonly askPlan?: AskPlan;
  /** Absent: nobody is there to answer questions. */
  readonly askQuestion?: AskQuestion;
  /** One line for the person. */
  notice?(line: string): void;
  /** Adds words to those that the person is typing. */
  insert?(words: string): void;
  /** Something that the agent waits for has news. */
  news?(): void;
};

export type Opened = {
  readonly agent: Agent;
  readonly session: Session;
  readonly ports: LocalPorts;
  /** Names, in the order in which the model is offered them. */
  readonly tools: readonly string[];
  readonly agents: Subagents | undefined;
  readonly background: BackgroundView;
  /** Undefined without servers. */
  readonly mcp: McpHub | undefined;
  /** Undefined where none is looked for. */
  readonly editor: EditorLink | undefined;
  /** Undefined where none may run. */
  readonly languageServers: LanguageServers | undefined;
  readonly commands: PromptCommands;
  readonly styles: SessionStyles;
  /** Absolute path of the session's plan. */
  readonly planFile: string;
  close(): Promise<void>;
};

export type OpenOptions = {
  readonly setup: Setup;
  readonly models: Models;
  readonly which: Which;
  /** Full name of the model of a new session. */
  readonly model: string;
  /** Of a new session, and of a stored one that has none it may go on with. Default: what flags and settings say. */
  readonly mode?: Mode;
  readonly hooks: Hooks;
};

export async function openOne(options: OpenOptions): Promise<Opened> {
  const { setup, models, which, model, hooks } = options;
  const { io, flags, loaded } = setup;
  const tell = (line: string): void => hooks.notice?.(line);
  const outputs = await outputFolder(setup, which.id);
  let session: Session | undefined;
  const configured = options.mode ?? configuredMode(setup);
  const mode = (): Mode => (session === undefined ? undefined : modeOfSession(session)) ?? configured;
  const plans = plansFolder(setup);
  if (plans.notice !== undefined) tell(plans.notice);
  const plan = planFile(plans.folder, which.id);
  const unused = budgetNotice(model, setup);
  if (unused !== undefined) tell(unused);
  const work = backgroundWork({
    folder: outputs.path,
    session: () => session,
    agents: () => part.agents,
    tell,
    news: () => hooks.news?.(),
  });
  const { tasks, notify } = work;
  const memory = setup.agent === undefined ? undefined : agentMemory(setup.agent, setup);
  if (typeof memory === 'string') tell(`the agent ${setup.agent?.name ?? ''} works without its memory: ${memory}`);
  const remembered = typeof memory === 'string' ? undefined : memory;
  const { here, place } = workplaces({
    setup,
    memory: remembered,
    model,
    mode,
    planFile: plan,
    outputs: outputs.path,
    background: { tasks, notify },
    part: () => part,
    tell,
  });
  const { permissions } = here;
  for (const problem of permissions.problems) tell(problem);
  const styles = sessionStyles({ setup, session: () => session, tell });
  const part = joined(
    await parts({
      planFile: plan,
      ...(which.type === 'fork' ? { forkOf: { folder: plans.folder, session: which.from } } : {}),
      ...(hooks.askPlan === undefined ? {} : { askPlan: hooks.askPlan }),
      ...(hooks.askQuestion === undefined ? {} : { askQuestion: hooks.askQuestion }),
      setup,
      id: which.id,
      model,
      folder: outputs.path,
      isKept: outputs.isKept,
      permissions,
      session: () => session,
      tools: () => tools,
      place,
      loop: () => part.agent,
      hub: () => part.mcp,
      agents: () => (own.some(({ spec }) => spec.name === 'Agent') ? part.agents : undefined),
      models,
      ...(hooks.ask === undefined ? {} : { ask: hooks.ask }),
      tell,
      insert: (words) => hooks.insert?.(words),
      news: () => hooks.news?.(),
    }),
  );
  const tools = here.tools();
  // A coordinator delegates only; its workers have all of them.
  const own = setup.coordinator ? coordinatorTools(tools) : tools;
  const ports = here.ports();
  const endWork = async (): Promise<void> => {
    await tasks.dispose();
    await part.close();
  };
  session = await openSession({
    model,
    tools: own.map(({ spec }) => spec),
    system: await systemPrompt({ setup, tools: own.map(({ spec }) => spec.name), styles, memory: remembered }),
    store: setup.store,
    ports: {
      ...withoutGit(setup.git === undefined ? ports : { ...ports, git: setup.git }, setup.bare),
      outputStyle: stylePort(setup, styles),
      ...companionPort(setup),
      ...folderPort(io.cwd),
      tasks: work.port,
      ...(which.type === 'new' ? {} : NO_SERVERS),
      ...part.ports,
    },
    resume: which.type === 'new' ? undefined : which.type === 'fork' ? which.from : which.id,
    fork: which.type === 'fork',
    id: which.id,
    mode: configured,
    off: setup.off,
    kindOptions: setup.kindOptions,
    params: paramsOf(model, setup),
    reminders: { delivery: 'inside-result', ...loaded.settings.reminders },
    cache: setup.cache,
    profile: (name) => setup.profile(name),
    git: { position: loaded.settings.git?.position === 'system' ? 'system' : 'opening' },
    client: `sidenote/${VERSION}`,
    fields: { cwd: io.cwd },
  }).catch(async (error: unknown) => {
    await endWork();
    await outputs.remove();
    throw error;
  });
  if (which.type !== 'new') {
    const line = await settleMode(session, { configured, isAsked: options.mode === undefined && isModeAsked(flags) });
    if (line !== undefined) tell(line);
  }
  const maxSteps = numeric(flags, 'max-turns') ?? setup.agent?.maxTurns;
  const agent = createAgent({
    session,
    adapter: (name) => models.adapter(name),
    tools: own,
    permissions,
    clock: ports.clock,
    compaction: compactionPolicy(setup),
    ...part.agent,
    ...(hooks.ask === undefined ? {} : { ask: part.askToo(hooks.ask) }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(setup.fallbackModel === undefined ? {} : { fallbackModel: setup.fallbackModel }),
  });
  const opened = session;
  return {
    agent,
    session,
    ports,
    tools: own.map(({ spec }) => spec.name),
    agents: part.agents,
    background: work.view,
    mcp: part.mcp,
    editor: part.editor,
    languageServers: part.languageServers,
    commands: part.commands,
    styles,
    planFile: plan,
    async close() {
      try {
        await endWork();
      } finally {
        // The session's lock goes whatever else fails.
        await opened.close();
        await outputs.remove();
      }
    },
  };
}

const NONE = { read: async () => ({ type: 'ready' as const, value: [], version: '' }) };
/** A session that had servers is told that they left, also where none is started any more. */
const NO_SERVERS: Pick<Ports, 'mcp' | 'deferredTools'> = { mcp: NONE, deferredTools: NONE };

/** What each feature brings, in a fixed order. */
async function parts(options: PlanPartOptions & QuestionOptions): Promise<readonly Part[]> {
  const { mcp, flags } = options.setup;
  const isStarted = flags.command === 'chat' && mcp.some(({ status }) => status === 'approved');
  return [
    await liveHooks(options),
    skillPart(options),
    agentPart(options),
    planPart(options),
    questionPart(options),
    todoPart(options),
    ...(isStarted ? [await (await import('./mcp-part.js')).mcpPart(options)] : []),
    memoryPart(options),
    ...(mayHaveEditor(options.setup) ? [idePart(options)] : []),
    usagePart(options),
    lspPart(options),
  ];
}

function companionPort(setup: Setup): Pick<Ports, 'companion'> {
  const value = companionOf(setup);
  return value === undefined ? {} : { companion: { read: () => ({ type: 'ready', value, version: value.name }) } };
}
