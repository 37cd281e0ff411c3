/** Which MCP servers a session has: of every scope, the nearest entry of each name, and whether it may be started. */
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { digestOf } from '../files/view.js';
import { projectRoot } from '../settings/project-root.js';
import type { McpAnswer } from '../settings/state-file.js';
import { parseConfig, readConfigFile, type ConfigFile } from './config-file.js';
import { readEntry, type McpEntry } from './server-config.js';

export type McpScope = 'managed' | 'flag' | 'local' | 'project' | 'user';

export type ConfiguredServer = {
  readonly name: string;
  readonly scope: McpScope;
  /** Path of the file, or the flag. */
  readonly file: string;
  readonly alwaysLoad: boolean;
} & (
  | { readonly status: 'approved' | 'waiting' | 'declined'; readonly entry: McpEntry }
  | { readonly status: 'broken'; readonly why: string }
);

export type FoundServers = {
  /** By name, sorted. */
  readonly servers: readonly ConfiguredServer[];
  /** Entries that a nearer scope hides. */
  readonly shadowed: readonly Pick<ConfiguredServer, 'name' | 'scope' | 'file'>[];
  /** One line each: files and entries that have no effect. */
  readonly problems: readonly string[];
  /** One line each: what flags name and can't be read. */
  readonly refused: readonly string[];
};

export type FindOptions = {
  readonly cwd: string;
  readonly home: string;
  readonly configDir: string;
  /** `CLAUDE_CONFIG_DIR` is read from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `--mcp-config` was given: paths, or JSON that begins with `{`. */
  readonly flags?: readonly string[];
  /** Only those of flags. Default false. */
  readonly strict?: boolean;
  /** Default: all. */
  readonly sources?: readonly ('user' | 'project' | 'local')[];
  /** Names of servers of `.mcp.json` that settings allow. */
  readonly enabled?: readonly string[];
  /** Every server of `.mcp.json` is allowed. Default false. */
  readonly approveAll?: boolean;
  /** Stored answers, by name; asked for only when a server of `.mcp.json` needs one. Default: none. */
  readonly answers?: () => Promise<Readonly<Record<string, McpAnswer>>>;
  /** Files of the organisation, highest first. Default: those of the platform. */
  readonly managed?: readonly string[];
};

type Source = { readonly scope: McpScope; readonly file: string; readonly servers: ConfigFile['servers'] };

/** Never rejects. */
export async function findServers(options: FindOptions): Promise<FoundServers> {
  const read = await readAll(options);
  const needs = read.sources.some(
    ({ scope, servers }) => scope === 'project' && Object.keys(servers).some((name) => !isAllowed(name, options)),
  );
  const answers = needs ? ((await options.answers?.()) ?? {}) : {};
  const chosen = new Map<string, ConfiguredServer>();
  const shadowed: Pick<ConfiguredServer, 'name' | 'scope' | 'file'>[] = [];
  const problems = [...read.problems];
  for (const { scope, file, servers } of read.sources) {
    for (const [name, value] of Object.entries(servers)) {
      if (chosen.has(name)) {
        shadowed.push({ name, scope, file });
        continue;
      }
      const checked = readEntry(value);
      const place = { name, scope, file };
      if (checked.ok)
        chosen.set(name, {
          ...place,
          alwaysLoad: checked.alwaysLoad,
          entry: checked.entry,
          status: statusOf(place, checked.entry, { options, answers }),
        });
      else {
        problems.push(`${file}: MCP server ${JSON.stringify(name)} is left out: ${checked.why}`);
        chosen.set(name, { ...place, alwaysLoad: false, status: 'broken', why: checked.why });
      }
    }
  }
  return { servers: [...chosen.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), shadowed, problems, refused: read.refused };
}

/** Names an entry, so that an answer for it does not hold for another one of the same name. */
export function entryDigest(entry: McpEntry): string {
  return digestOf(JSON.stringify(entry)).slice(0, 16);
}

const isAllowed = (name: string, { enabled = [], approveAll = false }: FindOptions): boolean => approveAll || enabled.includes(name);

function statusOf(
  { name, scope }: Pick<ConfiguredServer, 'name' | 'scope'>,
  entry: McpEntry,
  { options, answers }: { readonly options: FindOptions; readonly answers: Readonly<Record<string, McpAnswer>> },
): 'approved' | 'waiting' | 'declined' {
  if (scope !== 'project' || isAllowed(name, options)) return 'approved';
  const stored = Object.hasOwn(answers, name) ? answers[name] : undefined;
  return stored?.entry === entryDigest(entry) ? stored.answer : 'waiting';
}

/** Highest scope first. */
async function readAll(
  options: FindOptions,
): Promise<{ readonly sources: readonly Source[] } & Pick<FoundServers, 'problems' | 'refused'>> {
  const {
    cwd,
    home,
    configDir,
    env,
    flags = [],
    strict = false,
    sources = ['user', 'project', 'local'],
    managed = managedFiles(),
  } = options;
  const given = await Promise.all(flags.map((flag) => readFlag(flag, cwd)));
  const flagged = given.map(({ file, config }) => ({ scope: 'flag' as const, file, servers: config.servers }));
  const refused = given.flatMap(({ config }) => config.problems);
  if (strict) return { sources: flagged, problems: [], refused };
  const folders = [...new Set([await realpath(cwd).catch(() => resolve(cwd)), await projectRoot(cwd)])];
  const claude = env['CLAUDE_CONFIG_DIR'] ? join(env['CLAUDE_CONFIG_DIR'], '.claude.json') : join(home, '.claude.json');
  const own = [userMcpFile(configDir), claude];
  const wants = (source: 'user' | 'project' | 'local') => sources.includes(source);
  const [ofManaged, ofProject, ofUser] = await Promise.all([
    readFiles(managed),
    readFiles(wants('project') ? folders.map((folder) => join(folder, '.mcp.json')) : []),
    readFiles(wants('user') || wants('local') ? own : []),
  ]);
  const scoped = (scope: McpScope, read: readonly ReadFile[]): readonly Source[] =>
    read.map(({ file, config }) => ({ scope, file, servers: config.servers }));
  const local = wants('local')
    ? ofUser.flatMap(({ file, config }) =>
        folders.map((folder) => ({ scope: 'local' as const, file, servers: config.projects[folder] ?? {} })),
      )
    : [];
  return {
    sources: [
      ...scoped('managed', ofManaged),
      ...flagged,
      ...local,
      ...scoped('project', ofProject),
      ...(wants('user') ? scoped('user', ofUser) : []),
    ],
    problems: [...ofManaged, ...ofProject, ...ofUser].flatMap(({ config }) => config.problems),
    refused,
  };
}

/** The person's own servers; `projects.<folder>.mcpServers` in it are those of one project. */
export const userMcpFile = (configDir: string): string => join(configDir, 'mcp.json');

type ReadFile = { readonly file: string; readonly config: ConfigFile };

const readFiles = (files: readonly string[]): Promise<readonly ReadFile[]> =>
  Promise.all(files.map(async (file) => ({ file, config: await readConfigFile(file) })));

async function readFlag(flag: string, cwd: string): Promise<ReadFile> {
  if (flag.trimStart().startsWith('{')) return { file: '--mcp-config', config: await parseConfig(flag, '--mcp-config') };
  const file = resolve(cwd, flag);
  return { file, config: await readConfigFile(file, { named: true }) };
}

function managedFiles(): readonly string[] {
  if (process.platform === 'win32') return [];
  const folders =
    process.platform === 'darwin'
      ? ['/Library/Application Support/Sidenote', '/Library/Application Support/ClaudeCode']
      : ['/etc/sidenote', '/etc/claude-code'];
  return folders.map((folder) => join(folder, 'managed-mcp.json'));
}
