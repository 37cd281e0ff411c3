/** `sidenote mcp login` and `logout`: at a server that is reached by its address, by browser. */
import { spawn } from 'node:child_process';
import { expandEntry, logIn, loginsFile, type McpEntry } from '@sidenote/node';
import { setUp } from '../../assemble/set-up.js';
import { parseFlags } from '../../flags/parse.js';
import { endingStatus, notice, say, type Io } from '../../io.js';

/** @returns The exit status. */
export async function login(io: Io, name: string): Promise<number> {
  const { entry, logins } = await remote(io, name);
  say(io, `logging in at ${name} (${new URL(entry.url).origin}); ctrl+c breaks it off`);
  const done = await logIn({
    url: entry.url,
    oauth: entry.oauth ?? {},
    clientSecret: io.env['MCP_CLIENT_SECRET'],
    logins,
    visit(address) {
      // A program that opens addresses may do anything with one of another kind.
      if (!/^https?:/i.test(address)) throw new Error(`it sends to ${address.slice(0, 80)}, which is no web page`);
      say(io, `\nopen this page and allow it:\n${address}\n`);
      if (io.stdout.isTTY === true) openPage(address, io.env);
    },
    signal: io.signal,
  });
  if (done.type === 'failed' && io.signal.aborted) {
    notice(io, `the login at ${name} was broken off`);
    return endingStatus(io.signal.reason);
  }
  if (done.type === 'failed') throw new Error(`the login at ${name} failed: ${done.why}`);
  say(io, `logged in at ${name}; in a session that runs, /mcp reconnect ${name}`);
  return 0;
}

/** @returns The exit status. */
export async function logout(io: Io, name: string): Promise<number> {
  const { entry, logins } = await remote(io, name);
  const had = (await logins.read(entry.url)) !== undefined;
  const problem = await logins.write(entry.url, undefined);
  if (problem !== undefined) throw new Error(`the login at ${name} could not be forgotten (${problem})`);
  say(io, had ? `the login at ${name} is forgotten here; the server may still know it` : `there was no login at ${name}`);
  return 0;
}

async function remote(io: Io, name: string) {
  const setup = await setUp(io, parseFlags([]), { dry: true });
  const server = setup.mcp.find((one) => one.name === name);
  if (server === undefined) throw new Error(`there is no MCP server ${name}; sidenote mcp list shows all`);
  if (server.status === 'broken') throw new Error(`the MCP server ${name}: ${server.why} (${server.file})`);
  const expanded = expandEntry(server.entry, io.env);
  if (!expanded.ok) throw new Error(`${expanded.missing.map((one) => `\${${one}}`).join(', ')} is not set (${server.file})`);
  if (!hasAddress(expanded.entry)) throw new Error(`the MCP server ${name} is started on this machine: there is nowhere to log in`);
  if (!URL.canParse(expanded.entry.url)) throw new Error(`the url of ${name} is not one (${server.file})`);
  return { entry: expanded.entry, logins: loginsFile(setup.configDir) };
}

const hasAddress = (entry: McpEntry): entry is McpEntry & { readonly type: 'http' | 'sse' } => entry.type !== 'stdio';

/** Where there is a screen to open it on; the address was printed in any case. */
function openPage(address: string, env: Io['env']): void {
  const hasScreen = process.platform === 'darwin' || env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  if (!hasScreen || process.platform === 'win32') return;
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [address], { env, stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}
