/** What flags, settings and environment say together: everything that a session needs before it is opened. */
import { resolve } from 'node:path';
import { modelName, type AgentType } from '@sidenote/agent';
import {
  agentDefinitions,
  badNumbers,
  defaultConfigDir,
  digestOf,
  envFlag,
  envValue,
  jsonlStore,
  loadSettings,
  projectState,
  readTextFile,
  rememberProject,
  type AddedFolder,
  type ConfiguredHook,
  type ConfiguredServer,
  type AgentFiles,
  type LoadedSettings,
  type ProjectState,
  type ReadHooks,
} from '@sidenote/node';
import {
  MemoryStore,
  profilesWith,
  readModelOverrides,
  type GitSnapshot,
  type Fold,
  type ModelProfile,
  type SessionOptions,
  type Source,
  type Store,
} from '@sidenote/engine';
import { switched, text, type Flags } from '../flags/parse.js';
import type { Io } from '../io.js';
import { addedFolders } from './added-folders.js';
import { memoryOptions, type MemoryOptions } from './memory-options.js';
import { spendingFold, type Spending } from '../spending.js';
import { UsageError } from '../usage-error.js';
import { checkGiven, chosenAgent, modelOf, withInitialPrompt } from './chosen-agent.js';
import { kindOptions, kindsOff, optionProblems } from './kind-options.js';
import { mcpServers } from './mcp-servers.js';
import { sourcesOf } from './setting-sources.js';

export type Setup = {
  /** Its `env` holds what settings add. */
  readonly io: Io;
  readonly flags: Flags;
  readonly configDir: string;
  readonly loaded: LoadedSettings;
  /** Reads the settings as they are now. */
  reload(): Promise<LoadedSettings>;
  readonly store: Store;
  /** What the project's own files configure may run programs. */
  readonly trusted: boolean;
  /** `--bare`: nothing is discovered; what the command line names counts. */
  readonly bare: boolean;
  /** Hooks that run when something happens. */
  readonly hooks: readonly ConfiguredHook[];
  /** MCP servers of all scopes; those that are approved are started with a session. */
  readonly mcp: readonly ConfiguredServer[];
  /** The model's name as it was asked for; undefined: the default. */
  readonly asked: string | undefined;
  readonly replacePrompt: string | undefined;
  readonly appendPrompt: string | undefined;
  /** Kinds of context that are off, with the reason. */
  readonly off: Readonly<Record<string, string>>;
  /** Options of single kinds, from settings. */
  readonly kindOptions: ReturnType<typeof kindOptions>;
  readonly cache: NonNullable<SessionOptions['cache']>;
  /** Facts about models: the built-in table, and what the setting `models` says. */
  profile(model: string): ModelProfile;
  /** What a thread took, per model. */
  readonly spending: Fold<Spending>;
  /** Full name of the model that steps in; undefined: none. */
  readonly fallbackModel: string | undefined;
  readonly proactive: boolean;
  /** What was just answered, wherever it is kept; else the stored answer counts. */
  readonly externalImports?: ProjectState['externalImports'];
  /** Asked early; default: when it is needed. */
  readonly git?: Source<GitSnapshot>;
  readonly memories: MemoryOptions;
  /** Folders of `--add-dir`, for skills, commands and agents. */
  readonly added: readonly AddedFolder[];
  /** Definitions of agents, read when they are needed. */
  readonly agents: AgentFiles;
  /** The main agent plans and delegates only. */
  readonly coordinator: boolean;
  /** Named agents are members of a team with mailboxes. */
  readonly team: boolean;
  /** `--agent`: what the session runs as. */
  readonly agent?: AgentType | undefined;
  /** One line each, for the person. */
  readonly notices: readonly string[];
};

/** @throws {UsageError} for what was asked for and can't be had. */
export async function setUp(io: Io, flags: Flags, how: { readonly dry?: boolean; readonly trusted?: boolean } = {}): Promise<Setup> {
  const configDir = defaultConfigDir(io.env, io.home);
  const bare = switched(flags, 'bare') || envFlag(io.env, 'CLAUDE_CODE_SIMPLE');
  const settings = text(flags, 'settings');
  const trusted = how.trusted ?? (await isTrusted(io, flags, configDir));
  const reload = (): Promise<LoadedSettings> =>
    loadSettings({
      cwd: io.cwd,
      home: io.home,
      configDir,
      env: io.env,
      trusted,
      flags: settings === undefined ? [] : [settings],
      sources: bare ? ['user'] : sourcesOf(flags),
    });
  const loaded = await reload();
  if (settings !== undefined) mustBeUsable(settings, loaded, io.cwd);
  const env = { ...io.env, ...loaded.settings.env };
  const models = readModelOverrides(loaded.settings.models);
  const profile = profilesWith(models.overrides);
  const memories = memoryOptions({ io, env, configDir, loaded, bare });
  const added = await addedFolders({ cwd: io.cwd, configDir, flags, trusted });
  const json = text(flags, 'agents');
  const agents = agentDefinitions({
    cwd: io.cwd,
    home: io.home,
    configDir,
    env,
    trusted,
    added,
    sources: bare ? [] : sourcesOf(flags).filter((source) => source !== 'local'),
    ...(json === undefined ? {} : { json }),
  });
  if (json !== undefined) await checkGiven(agents);
  const agent = await chosenAgent(flags, agents);
  const hooks: ReadHooks =
    (loaded.settings.hooks ?? agent?.hooks) === undefined
      ? { hooks: [], problems: [] }
      : (await import('./configured-hooks.js')).configuredHooks(loaded, { bare, own: agent?.hooks });
  const mcp = await mcpServers({ io: { ...io, env }, flags, configDir, loaded, bare, agent });
  const notices = [
    ...loaded.warnings.map(settingsLine),
    ...models.problems.map((problem) => `the setting ${problem}; it was left out`),
    ...misplaced(loaded),
    ...optionProblems(loaded),
    ...hooks.problems,
    ...mcp.notices,
    ...memories.notices,
    ...badNumbers(env),
  ];
  const memory = how.dry === true || switched(flags, 'no-session-persistence');
  const coordinator = agent === undefined && envFlag(env, 'CLAUDE_CODE_COORDINATOR_MODE');
  return {
    io: { ...io, env },
    flags: withInitialPrompt(flags, agent),
    added,
    agents,
    coordinator,
    team: coordinator || envFlag(env, 'CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS'),
    agent,
    configDir,
    loaded,
    reload,
    trusted,
    bare,
    hooks: hooks.hooks,
    mcp: mcp.servers,
    notices,
    store: memory ? new MemoryStore({ digest: digestOf }) : jsonlStore({ cwd: io.cwd, configDir }),
    asked: text(flags, 'model') ?? modelOf(agent) ?? (envValue(env, 'ANTHROPIC_MODEL') === undefined ? loaded.settings.model : undefined),
    replacePrompt: await promptText(io, flags, 'system-prompt'),
    appendPrompt: await promptText(io, flags, 'append-system-prompt'),
    off: { ...(memories.off === undefined ? {} : { relevant_memories: memories.off }), ...kindsOff(loaded, env) },
    kindOptions: kindOptions(loaded),
    memories,
    profile,
    spending: spendingFold(profile),
    fallbackModel: fallbackOf(flags, env),
    proactive: switched(flags, 'proactive') || loaded.settings.proactive === true,
    cache: {
      mode: envFlag(env, 'DISABLE_PROMPT_CACHING') ? 'off' : (loaded.settings.cache?.mode ?? 'planned'),
      ttl: envFlag(env, 'ENABLE_PROMPT_CACHING_1H') ? '1h' : (loaded.settings.cache?.ttl ?? 'auto'),
    },
  };
}

/** What was named on the command line may hold the rules that a run must not be without. */
function mustBeUsable(settings: string, { warnings }: LoadedSettings, cwd: string): void {
  const names = ['--settings', resolve(cwd, settings)];
  const fault = warnings.find(({ type, file }) => (type === 'unreadable' || type === 'syntax') && names.includes(file));
  if (fault !== undefined) throw new UsageError(`${fault.message.split(';')[0]}: nothing is run without what --settings names`);
}

/** Trust given on the command line counts for this run; on a terminal it is remembered, so that it is given once. */
async function isTrusted(io: Io, flags: Flags, configDir: string): Promise<boolean> {
  if (switched(flags, 'trust')) {
    if (!switched(flags, 'print') && flags.command === 'chat')
      await rememberProject({ cwd: io.cwd, configDir, answers: { trusted: true } });
    return true;
  }
  if (switched(flags, 'dangerously-skip-permissions')) return true;
  return (await projectState({ cwd: io.cwd, configDir })).trusted === true;
}

async function promptText(io: Io, flags: Flags, name: 'system-prompt' | 'append-system-prompt'): Promise<string | undefined> {
  const file = text(flags, `${name}-file`);
  if (file === undefined) return text(flags, name);
  const reading = await readTextFile(resolve(io.cwd, file));
  if (reading.type === 'text') return reading.text;
  const why = reading.type === 'unreadable' ? reading.why : reading.type === 'special' ? reading.kind : reading.type;
  throw new UsageError(`--${name}-file ${file}: can't be read as text (${why})`);
}

function fallbackOf(flags: Flags, env: Io['env']): string | undefined {
  const name = text(flags, 'fallback-model');
  return name === undefined ? undefined : modelName(name, env);
}

/** One line for a person. */
export function settingsLine({ type, message }: LoadedSettings['warnings'][number]): string {
  return type === 'untrusted' ? `${message}; --trust applies it` : message;
}

/** Only managed settings may hold instructions: a project has files for that. */
function misplaced({ settings, origins }: LoadedSettings): string[] {
  const origin = origins.get('claudeMd');
  if (settings.claudeMd === undefined || origin === undefined || origin.layer === 'managed') return [];
  return [`${origin.file}: "claudeMd" counts in managed settings only; write the text into a CLAUDE.md`];
}
