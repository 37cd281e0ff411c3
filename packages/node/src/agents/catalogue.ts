/** All agents that are defined for a folder: read anew when a file changed, and never failing as a whole. */
import type { Json, Reading } from '@sidenote/engine';
import type { ParseError } from 'jsonc-parser';
import { isWithin } from '../files/paths.js';
import { readTextFile } from '../files/read.js';
import { definitionOf, type Definition } from '../front-matter/definition.js';
import { hooksField } from '../front-matter/hooks-field.js';
import { isObject } from '../hooks/json.js';
import type { OwnHooks } from '../hooks/own-hooks.js';
import { projectRoot } from '../settings/project-root.js';
import { runsCommands } from '../settings/trust.js';
import { readAgent, type AgentDefinition, type AgentProblem, type AgentScope, type ReadAgent } from './definition.js';
import { agentFiles, type AgentFile, type AgentOptions } from './places.js';

/** Bytes of one definition. */
const LARGEST = 1024 * 1024;
/** Where definitions of the command line stand. */
const FLAG = '--agents';
/** Modes that ask less than the default one. */
const WIDER: readonly string[] = ['acceptEdits', 'auto', 'bypassPermissions'];

export type AgentCatalogue = {
  /** By name, in the order in which they are told. */
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly problems: readonly AgentProblem[];
};

/** Answers with what is on the disk now. Of two agents with one name the one that wins is in it, and the other is a problem. */
export interface AgentFiles {
  read(): Promise<Extract<Reading<AgentCatalogue>, { readonly type: 'ready' }>>;
}

export function agentDefinitions(options: AgentOptions): AgentFiles {
  const known = new Map<string, ReadAgent>();
  let last: Extract<Reading<AgentCatalogue>, { readonly type: 'ready' }> | undefined;
  let flags: readonly ReadAgent[] | undefined;
  return {
    async read() {
      flags ??= options.json === undefined ? [] : await agentsInJson(options.json);
      const files = await agentFiles(options);
      const version = files.map(({ path, version: at }) => `${path}\n${at}`).join('\n');
      if (last?.version === version) return last;
      const read = await Promise.all(
        files.map(async (file) => {
          const key = `${file.path}\n${file.version}`;
          const one = known.get(key) ?? (await readFile(file, options));
          known.set(key, one);
          return one;
        }),
      );
      const managed = files.findIndex(({ scope }) => scope !== 'managed');
      const split = managed < 0 ? files.length : managed;
      last = { type: 'ready', version, value: catalogueOf([...read.slice(0, split), ...flags, ...read.slice(split)]) };
      return last;
    },
  };
}

function catalogueOf(read: readonly ReadAgent[]): AgentCatalogue {
  const agents = new Map<string, AgentDefinition>();
  const problems = read.flatMap((one) => one.problems);
  for (const { definition } of read) {
    if (definition === undefined) continue;
    const winner = agents.get(definition.name);
    if (winner === undefined) agents.set(definition.name, definition);
    else problems.push({ file: definition.file, line: 1, message: `the agent ${definition.name} is already defined in ${winner.file}` });
  }
  return { agents, problems };
}

async function readFile({ path, scope, added }: AgentFile, { cwd, trusted }: AgentOptions): Promise<ReadAgent> {
  const reading = await readTextFile(path, { maxBytes: LARGEST });
  if (reading.type === 'missing') return { problems: [] };
  if (reading.type !== 'text') {
    const why = reading.type === 'unreadable' ? reading.why : reading.type === 'special' ? reading.kind : reading.type;
    return { problems: [{ file: path, line: 1, message: `can't be read as an agent (${why})`, fatal: true }] };
  }
  const isOwn = scope !== 'project' || (added?.trusted ?? trusted) === true;
  // A description would give away what a file of the person's begins with.
  if (!isOwn && !isWithin(added?.path ?? (await projectRoot(cwd)), reading.path)) {
    const message = `it is a link to ${reading.path}, outside the project, and this folder is not trusted; the agent is not loaded`;
    return { problems: [{ file: path, line: 1, message, fatal: true }] };
  }
  const { fields, body, lineOf, problem } = await definitionOf(reading.text);
  if (problem !== undefined)
    return { problems: [{ file: path, line: problem.line, message: `${problem.message}; the agent is not loaded`, fatal: true }] };
  const left = isOwn ? [] : powersIn(fields);
  const kept = Object.fromEntries(Object.entries(fields).filter(([field]) => !left.includes(field)));
  const own = await hooksField({ fields: kept, lineOf }, { file: path, layer: layerOf(scope) });
  const read = readAgent({ fields: kept, body, scope, file: path, lineOf, own });
  const said = left.map((field) => ({
    file: path,
    line: lineOf(field),
    message: `\`${field}${shown(fields[field])}\` counts only once this folder is trusted; it was left out`,
    withheld: field,
  }));
  return { ...read, problems: [...read.problems, ...said] };
}

/** A value that is a word or two. */
const shown = (value: unknown): string => (typeof value === 'string' ? `: ${value}` : '');

const layerOf = (scope: AgentScope): OwnHooks['layer'] => (scope === 'flag' ? 'flags' : scope);

/** Fields by which a folder that nobody trusts would be asked less, or would run commands: of a scripted model, as typed words, or as hooks; or would read what the person's own agents remember. */
function powersIn(fields: Definition['fields']): readonly string[] {
  const text = (field: string): string => String(fields[field] ?? '').trim();
  return [
    ...(WIDER.includes(text('permissionMode')) ? ['permissionMode'] : []),
    ...(runsCommands(text('model')) ? ['model'] : []),
    ...(/^[!/]/.test(text('initialPrompt')) ? ['initialPrompt'] : []),
    ...(text('memory') === 'user' ? ['memory'] : []),
    ...(fields['hooks'] === undefined || fields['hooks'] === null ? [] : ['hooks']),
  ];
}

/** `{"reviewer": {"description": …, "prompt": …, "tools": […]}}` */
async function agentsInJson(json: string): Promise<readonly ReadAgent[]> {
  const { parse } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const value: Json = parse(json, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(value))
    return [{ problems: [{ file: FLAG, line: 1, message: 'it is not a JSON object of agents by name', fatal: true }] }];
  return Promise.all(Object.entries(value).map(([name, entry]) => agentInJson(name, entry)));
}

async function agentInJson(name: string, entry: Json): Promise<ReadAgent> {
  if (!isObject(entry)) return { problems: [{ file: FLAG, line: 1, message: `${name} is not an object`, fatal: true }] };
  const { prompt, ...fields } = entry;
  const named = { fields: { ...fields, name }, lineOf: () => 1 };
  const own = await hooksField(named, { file: FLAG, layer: 'flags' });
  const read = readAgent({ ...named, body: typeof prompt === 'string' ? prompt : '', scope: 'flag', file: FLAG, own });
  return { ...read, problems: read.problems.map((problem) => ({ ...problem, message: `${name}: ${problem.message}` })) };
}
