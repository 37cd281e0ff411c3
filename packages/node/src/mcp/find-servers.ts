/** Which MCP servers a session has: of every scope, the nearest entry of each name, and whether it may be started. */
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { projectRoot } from '../settings/project-root.js';
import { checkedServer, storedAnswers, type ApprovalOptions, type ConfiguredServer, type McpScope, type ServerSource } from './approval.js';
import { parseConfig, readConfigFile, type ConfigFile } from './config-file.js';

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

export type FindOptions = ApprovalOptions & {
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
  /** Files of the organisation, highest first. Default: those of the platform. */
  readonly managed?: readonly string[];
};

/** Never rejects. */
export async function findServers(options: FindOptions): Promise<FoundServers> {
  const read = await readAll(options);
  const answers = await storedAnswers(read.sources, options);
  const chosen = new Map<string, ConfiguredServer>();
  const shadowed: Pick<ConfiguredServer, 'name' | 'scope' | 'file'>[] = [];
  const problems = [...read.problems];
  for (const { scope, file, servers } of read.sources) {
    for (const [name, value] of Object.entries(servers)) {
      if (chosen.has(name)) {
        shadowed.push({ name, scope, file });
        continue;
      }
      chosen.set(name, checkedServer({ name, scope, file }, value, { options, answers, problems }));
    }
  }
  return { servers: [...chosen.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), shadowed, problems, refused: read.refused };
}

/** Highest scope first. */
async function readAll(
  options: FindOptions,
): Promise<{ readonly sources: readonly ServerSource[] } & Pick<FoundServers, 'problems' | 'refused'>> {
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
  const scoped = (scope: McpScope, read: readonly ReadFile[]): readonly ServerSource[] =>
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
