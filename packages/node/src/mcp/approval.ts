/** Whether an entry for an MCP server may be started: what a project names, only when a person has said so. */
import { digestOf } from '../files/digest.js';
import type { McpAnswer } from '../settings/state-file.js';
import { readEntry, type McpEntry } from './server-config.js';

export type McpScope = 'managed' | 'flag' | 'local' | 'project' | 'user';

export type ConfiguredServer = {
  readonly name: string;
  readonly scope: McpScope;
  /** Path of the file, or the flag. */
  readonly file: string;
  readonly alwaysLoad: boolean;
} &
  /** `off`: its entry, or a setting, says that it is not to be started. */
  (
    | { readonly status: 'approved' | 'waiting' | 'declined' | 'off'; readonly entry: McpEntry }
    | { readonly status: 'broken'; readonly why: string }
  );

export type ApprovalOptions = {
  /** Names of servers of a project that settings allow. */
  readonly enabled?: readonly string[];
  /** Names of servers of a project that settings forbid, whatever else allows them. */
  readonly disabled?: readonly string[];
  /** Every server of a project is allowed. Default false. */
  readonly approveAll?: boolean;
  /** Stored answers, by name; asked for only when a server of a project needs one. Default: none. */
  readonly answers?: () => Promise<Readonly<Record<string, McpAnswer>>>;
};

/** Entries by name, as one file holds them. */
export type ServerSource = { readonly scope: McpScope; readonly file: string; readonly servers: Readonly<Record<string, unknown>> };

/** Answers that were stored, where an entry needs one. */
export async function storedAnswers(sources: readonly ServerSource[], options: ApprovalOptions): Promise<Checking['answers']> {
  const needs = sources.some(({ scope, servers }) => scope === 'project' && Object.keys(servers).some((name) => !isAllowed(name, options)));
  return needs ? ((await options.answers?.()) ?? {}) : {};
}

/** Servers that stand in a file of another kind, under the rules that hold for its scope. Never rejects. */
export async function judgeServers(
  source: ServerSource,
  options: ApprovalOptions,
): Promise<{ readonly servers: readonly ConfiguredServer[]; readonly problems: readonly string[] }> {
  const { scope, file, servers } = source;
  const answers = await storedAnswers([source], options);
  const problems: string[] = [];
  const judged = Object.entries(servers).map(([name, value]) =>
    checkedServer({ name, scope, file }, value, { options, answers, problems }),
  );
  return { servers: judged, problems };
}

type Checking = {
  readonly options: ApprovalOptions;
  readonly answers: Readonly<Record<string, McpAnswer>>;
  /** Added to. */
  readonly problems: string[];
};

/** One entry, with whether it may be started. */
export function checkedServer(
  place: Pick<ConfiguredServer, 'name' | 'scope' | 'file'>,
  value: unknown,
  { problems, ...how }: Checking,
): ConfiguredServer {
  const checked = readEntry(value);
  if (checked.ok) {
    const { entry, alwaysLoad } = checked;
    return { ...place, alwaysLoad, entry, status: checked.disabled ? 'off' : statusOf(place, entry, how) };
  }
  problems.push(`${place.file}: MCP server ${JSON.stringify(place.name)} is left out: ${checked.why}`);
  return { ...place, alwaysLoad: false, status: 'broken', why: checked.why };
}

/** Names an entry, so that an answer for it does not hold for another one of the same name. */
export function entryDigest(entry: McpEntry): string {
  return digestOf(JSON.stringify(entry)).slice(0, 16);
}

const isAllowed = (name: string, { enabled = [], approveAll = false }: ApprovalOptions): boolean => approveAll || enabled.includes(name);

function statusOf(
  { name, scope }: Pick<ConfiguredServer, 'name' | 'scope'>,
  entry: McpEntry,
  { options, answers }: Omit<Checking, 'problems'>,
): 'approved' | 'waiting' | 'declined' | 'off' {
  if (scope === 'project' && options.disabled?.includes(name) === true) return 'off';
  if (scope !== 'project' || isAllowed(name, options)) return 'approved';
  const stored = Object.hasOwn(answers, name) ? answers[name] : undefined;
  return stored?.entry === entryDigest(entry) ? stored.answer : 'waiting';
}
