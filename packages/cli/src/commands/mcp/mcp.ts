/** `sidenote mcp`: which MCP servers there are, and adding or removing one; only the person's own file or the project's `.mcp.json` is written. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '@sidenote/engine';
import { defaultConfigDir, describeEntry, editConfig, nearest, readEntry, userMcpFile } from '@sidenote/node';
import { waitingNotice } from '../../assemble/mcp-servers.js';
import { setUp } from '../../assemble/set-up.js';
import { parseFlags } from '../../flags/parse.js';
import { inside } from '../../inside.js';
import { notice, say, type Io } from '../../io.js';
import { UsageError } from '../../usage-error.js';
import { login, logout } from './login.js';

const ACTIONS = ['list', 'add', 'remove', 'login', 'logout'] as const;
const SCOPES = ['local', 'project', 'user'] as const;
const USAGE = `sidenote mcp list [--json]
sidenote mcp add <name> [--scope local|project|user] [--env KEY=value] -- <command> [argument…]
sidenote mcp add <name> --transport http|sse [--scope …] [--header "Name: value"] <url>
sidenote mcp remove <name> [--scope …]
sidenote mcp login <name>     by browser, at a server that is reached by its address
sidenote mcp logout <name>`;

/** @returns The exit status. @throws {UsageError} */
export async function mcp(io: Io): Promise<number> {
  const { values, positionals } = parsed(io.args.slice(1));
  const [action, ...words] = positionals;
  if (values.help === true || action === undefined) {
    say(io, USAGE);
    return values.help === true ? 0 : 2;
  }
  const known = ACTIONS.find((one) => one === action);
  if (known === undefined) {
    const near = nearest(action, ACTIONS);
    throw new UsageError(`sidenote mcp ${action}: ${near === undefined ? `use ${ACTIONS.join(', ')}` : `did you mean ${near}?`}`);
  }
  if (known === 'list') return list(io, { json: values.json === true });
  const [name, ...rest] = words;
  if (name === undefined) throw new UsageError(`sidenote mcp ${known} needs a name\n${USAGE}`);
  if (known === 'login') return login(io, name);
  if (known === 'logout') return logout(io, name);
  return edit(io, { name, entry: known === 'remove' ? undefined : entryOf(name, rest, values), scope: values.scope });
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        scope: { type: 'string', short: 's' },
        transport: { type: 'string', short: 't' },
        env: { type: 'string', short: 'e', multiple: true },
        header: { type: 'string', short: 'H', multiple: true },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    const why = messageOf(error).split('.')[0];
    throw new UsageError(`sidenote mcp: ${why}${args[0] === 'add' ? '; a command with flags stands behind --' : ` (sidenote mcp --help)`}`);
  }
}

async function list(io: Io, { json }: { readonly json: boolean }): Promise<number> {
  const flags = parseFlags([]);
  const setup = await setUp(io, flags, { dry: true });
  const rows = setup.mcp.map((server) => ({
    name: server.name,
    scope: server.scope,
    file: server.file,
    status: server.status,
    reaches: server.status === 'broken' ? server.why : describeEntry(server.entry),
  }));
  if (json) io.stdout.write(`${JSON.stringify({ servers: rows }, null, 2)}\n`);
  else if (rows.length === 0) say(io, 'there are no MCP servers here; sidenote mcp add <name> -- <command> adds one');
  else
    for (const { name, scope, file, status, reaches } of rows)
      say(io, `${name.padEnd(16)} ${status.padEnd(8)} ${scope.padEnd(8)} ${reaches}  (${inside(file, io.cwd)})`);
  for (const line of [...setup.notices, ...waitingNotice(setup.mcp)]) notice(io, line);
  return 0;
}

type Values = ReturnType<typeof parsed>['values'];

/** What stands in the file: values as they were given, so `${NAME}` stays a variable. */
function entryOf(
  name: string,
  words: readonly string[],
  { transport = 'stdio', env = [], header = [] }: Values,
): Readonly<Record<string, unknown>> {
  const [first, ...args] = words;
  if (first === undefined) throw new UsageError(`sidenote mcp add ${name} needs a ${transport === 'stdio' ? 'command' : 'url'}\n${USAGE}`);
  const entry =
    transport === 'stdio'
      ? { type: transport, command: first, args, ...(env.length === 0 ? {} : { env: pairs(env, '=') }) }
      : { type: transport, url: first, ...(header.length === 0 ? {} : { headers: pairs(header, ':') }) };
  const checked = readEntry(entry);
  if (!checked.ok) throw new UsageError(`sidenote mcp add ${name}: ${checked.why}`);
  return entry;
}

function pairs(texts: readonly string[], mark: '=' | ':'): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(mark);
      if (at < 1) throw new UsageError(`sidenote mcp add: ${JSON.stringify(text)} is not of the form name${mark}value`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}

type Edit = { readonly name: string; readonly entry: Readonly<Record<string, unknown>> | undefined; readonly scope: string | undefined };

async function edit(io: Io, { name, entry, scope: asked = 'local' }: Edit): Promise<number> {
  const scope = SCOPES.find((one) => one === asked);
  if (scope === undefined) throw new UsageError(`--scope ${asked}: use ${SCOPES.join(', ')}`);
  const file = scope === 'project' ? join(io.cwd, '.mcp.json') : userMcpFile(defaultConfigDir(io.env, io.home));
  const folder = scope === 'local' ? { folder: await realpath(io.cwd).catch(() => io.cwd) } : {};
  const edited = await editConfig({ file, name, entry, ...folder });
  const where = `${inside(file, io.cwd)} (${scope})`;
  if (edited.type === 'failed') throw new Error(`${where}: ${edited.why}; nothing was changed`);
  if (edited.type === 'absent') throw new Error(`there is no MCP server ${name} in ${where}; sidenote mcp list shows where it is`);
  say(io, entry === undefined ? `removed ${name} from ${where}` : `${edited.replaced ? 'replaced' : 'added'} ${name} in ${where}`);
  const counts = (await setUp(io, parseFlags([]), { dry: true })).mcp.find((server) => server.name === name);
  if (counts !== undefined && counts.scope !== scope) notice(io, `${name} of ${inside(counts.file, io.cwd)} (${counts.scope}) counts here`);
  return 0;
}
