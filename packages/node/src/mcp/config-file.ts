/** A file with `mcpServers`, read with patience: what is wrong is a line for the person, and the rest counts. */
import { readTextFile } from '../files/read.js';
import { isObject } from '../settings/shape.js';

export type ConfigFile = {
  /** By name, unchecked. */
  readonly servers: Readonly<Record<string, unknown>>;
  /** By folder, as `projects.<folder>.mcpServers`: servers of a person in one project. */
  readonly projects: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly problems: readonly string[];
};

const nothing: ConfigFile = { servers: {}, projects: {}, problems: [] };

/** A missing file holds no servers, unless someone named it. Never rejects. */
export async function readConfigFile(path: string, { named = false }: { readonly named?: boolean } = {}): Promise<ConfigFile> {
  const reading = await readTextFile(path, { maxBytes: 64 * 1024 * 1024 });
  if (reading.type === 'text') return parseConfig(reading.text, path);
  if (reading.type === 'missing' && !named) return nothing;
  const why = reading.type === 'unreadable' ? reading.why : reading.type === 'special' ? reading.kind : reading.type;
  return { ...nothing, problems: [`${path}: can't be read for MCP servers (${why})`] };
}

/** `file` is what problems name. Comments and trailing commas are fine. */
export async function parseConfig(source: string, file: string): Promise<ConfigFile> {
  const text = source.replace(/^\ufeff/, '');
  // Files of other tools hold a lot besides, and often none of this.
  if (!text.includes('mcpServers'))
    return text.trim() === '' || file.endsWith('.claude.json')
      ? nothing
      : { ...nothing, problems: [`${file}: there is no "mcpServers" in it`] };
  const { value, problem } = await valueOf(text);
  const problems = problem === undefined ? [] : [`${file}${problem}`];
  if (!isObject(value))
    return { ...nothing, problems: problems.length > 0 ? problems : [`${file}: it must be an object with "mcpServers"`] };
  const { mcpServers: servers = {}, projects = {} } = value;
  if (!isObject(servers)) return { ...nothing, problems: [...problems, `${file}: "mcpServers" must be an object`] };
  const byFolder = isObject(projects)
    ? Object.entries(projects).flatMap(([folder, project]) =>
        isObject(project) && isObject(project['mcpServers']) ? [[folder, project['mcpServers']] as const] : [],
      )
    : [];
  return { servers, projects: Object.fromEntries(byFolder), problems };
}

async function valueOf(text: string): Promise<{ readonly value: unknown; readonly problem?: string }> {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const { parse, printParseErrorCode } = await import('jsonc-parser');
    const errors: { error: number; offset: number; length: number }[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first === undefined) return { value };
    const line = text.slice(0, first.offset).split('\n').length;
    const what = printParseErrorCode(first.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    return { value, problem: `:${line}: not valid JSON here (${what}); what can be read of the file applies` };
  }
}
