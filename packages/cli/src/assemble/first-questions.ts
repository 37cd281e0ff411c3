/** What a person is asked once per project before a session on a terminal: whether to trust its settings, and its imports from outside. */
import {
  describeEntry,
  entryDigest,
  isWithin,
  localPorts,
  projectState,
  rememberProject,
  type ConfiguredServer,
  type McpAnswer,
  type ProjectState,
} from '@sidenote/node';
import { modelName } from '@sidenote/agent';
import { inside } from '../inside.js';
import { portOptions } from './instruction-options.js';
import { setUp, type Setup } from './set-up.js';

export type Question = {
  readonly title: string;
  readonly details: readonly string[];
  readonly choices: readonly { readonly label: string; readonly answer: string }[];
};

/** Undefined: left unanswered. */
export type Choose = (question: Question) => Promise<string | undefined>;

/** Lines of what waits for trust. */
const MOST_DETAILS = 12;

const yesOrNo = (yes: string, no: string): Question['choices'] => [
  { label: yes, answer: 'yes' },
  { label: no, answer: 'no' },
];

/** Asks what was never answered and matters here, remembers the answers, and gives the setup that they make. */
export async function answered(setup: Setup, how: { readonly choose: Choose; tell(line: string): void }): Promise<Setup> {
  const state = await projectState({ cwd: setup.io.cwd, configDir: setup.configDir });
  const remember = async (answers: ProjectState): Promise<void> => {
    const writing = await rememberProject({ cwd: setup.io.cwd, configDir: setup.configDir, answers });
    if (writing.type === 'failed') how.tell(`the answer could not be kept (${writing.why}): it counts for this session`);
  };
  const trusted = await askForTrust(setup, state, how.choose);
  if (trusted !== undefined) await remember({ trusted });
  const current = trusted === true ? { ...setup, ...(await setUp(setup.io, setup.flags, { trusted: true })) } : setup;
  const externalImports = await askForImports(current, state, how.choose);
  if (externalImports !== undefined) await remember({ externalImports });
  const mcpServers = await askForServers(current, how.choose);
  if (mcpServers !== undefined) await remember({ mcpServers: { ...state.mcpServers, ...mcpServers } });
  const told = externalImports === undefined ? current : { ...current, externalImports };
  return mcpServers === undefined ? told : { ...told, mcp: current.mcp.map((server) => decided(server, mcpServers)) };
}

function decided(server: ConfiguredServer, answers: Readonly<Record<string, McpAnswer>>): ConfiguredServer {
  return server.status === 'waiting' ? { ...server, status: answers[server.name]?.answer ?? server.status } : server;
}

/** Only where trust would change something. */
async function askForTrust(setup: Setup, state: ProjectState, choose: Choose): Promise<boolean | undefined> {
  const { loaded, io } = setup;
  if (state.trusted !== undefined || setup.trusted) return undefined;
  const left = loaded.warnings.flatMap(({ type, file, key = 'settings' }) => (type === 'untrusted' ? [{ file, key }] : []));
  const waiting = [...left, ...(await withheld(setup))];
  if (waiting.length === 0) return undefined;
  const more = waiting.length - MOST_DETAILS;
  const answer = await choose({
    title: 'Do you trust this folder? Its files may run commands or widen permissions:',
    details: [
      ...waiting.slice(0, MOST_DETAILS).map(({ file, key }) => `${key} in ${inside(file, io.cwd)}`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    choices: yesOrNo('yes, these count', 'no, leave these out'),
  });
  return answer === undefined ? undefined : answer === 'yes';
}

/** Fields of the folder's agents and skills that count only once it is trusted. Folders that were added are trusted by themselves. */
async function withheld(setup: Setup): Promise<readonly { readonly file: string; readonly key: string }[]> {
  const { skillLibrary } = await import('./skill-part.js');
  const [agents, skills] = await Promise.all([setup.agents.read(), skillLibrary(setup).read()]);
  return [
    ...agents.value.problems.flatMap(({ file, withheld: key }) => (key === undefined ? [] : [{ file, key }])),
    ...[...skills.skills.values()].flatMap(({ path, withheld: keys }) => keys.map((key) => ({ file: path, key }))),
  ].filter(({ file }) => !setup.added.some(({ path }) => isWithin(path, file)));
}

async function askForImports(setup: Setup, state: ProjectState, choose: Choose): Promise<ProjectState['externalImports']> {
  if (state.externalImports !== undefined) return undefined;
  const { io } = setup;
  const { instructions } = localPorts(portOptions(setup, modelName(setup.asked, io.env)));
  const reading = await instructions.read(io.signal);
  const waiting = reading.type === 'ready' ? reading.value.filter(({ status }) => status === 'outside') : [];
  if (waiting.length === 0) return undefined;
  const answer = await choose({
    title: 'Instruction files of this project import files from outside it. May the model be told these?',
    details: waiting.map(({ path, from }) =>
      from?.file === undefined
        ? path
        : `${path}, imported by ${inside(from.file, io.cwd)}${from.line === undefined ? '' : `, line ${from.line}`}`,
    ),
    choices: yesOrNo('yes, these and later ones', 'no, none'),
  });
  return answer === undefined ? undefined : answer === 'yes' ? 'approved' : 'declined';
}

/** Servers of the project's `.mcp.json` that nobody was asked about as they are now. */
async function askForServers({ mcp }: Setup, choose: Choose): Promise<Readonly<Record<string, McpAnswer>> | undefined> {
  const waiting = mcp.flatMap((server) => (server.status === 'waiting' ? [server] : []));
  if (waiting.length === 0) return undefined;
  const given = await choose({
    title: `May the MCP ${waiting.length === 1 ? 'server' : 'servers'} of this project's .mcp.json be started?`,
    details: waiting.map(({ name, entry }) => `${name}: ${describeEntry(entry).split('\n', 1)[0]}`),
    choices: yesOrNo(waiting.length === 1 ? 'yes, start it' : 'yes, start them', 'no'),
  });
  if (given === undefined) return undefined;
  const answer = given === 'yes' ? 'approved' : 'declined';
  return Object.fromEntries(waiting.map(({ name, entry }) => [name, { answer, entry: entryDigest(entry) }]));
}
