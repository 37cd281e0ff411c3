/** `sidenote doctor`: versions, paths, settings with where they come from, and what is missing. */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { createMcpHub, loginsFile, findEditors, findTypescript, readServers, projectFolder, type LoadedSettings } from '@sidenote/node';
import { waitingNotice } from '../assemble/mcp-servers.js';
import { createModels } from '../assemble/models.js';
import { setUp, type Setup } from '../assemble/set-up.js';
import { switched, type Flags } from '../flags/parse.js';
import { hookItems } from './context/hooks.js';
import { say, type Io } from '../io.js';
import { VERSION } from '../version.js';

/** `note`: not there, and nothing fails for want of it. */
type Finding = { readonly name: string; readonly value: string; readonly ok: boolean; readonly note?: true };

const run = promisify(execFile);
const OLDEST_NODE = [20, 19] as const;

/** @returns 1 when something is missing that nothing works without. */
export async function doctor(io: Io, flags: Flags): Promise<number> {
  const setup = await setUp(io, flags, { dry: true });
  const { configDir, loaded } = setup;
  const picked = createModels(setup.io.env, { cwd: io.cwd }).pick(setup.asked);
  const sessions = projectFolder({ cwd: io.cwd, configDir });
  const findings: readonly Finding[] = [
    { name: 'sidenote', value: VERSION, ok: true },
    { name: 'node', value: process.version, ok: isNew(process.versions.node) },
    await program('git', io.cwd, { name: 'git', value: 'not found: install it', ok: false }),
    await program('rg', io.cwd, { name: 'rg', value: 'not found: Grep uses the built-in scan, which is slower', ok: false, note: true }),
    { name: 'configuration', value: configDir, ok: isWritable(configDir) },
    { name: 'sessions', value: sessions, ok: isWritable(sessions) },
    {
      name: 'directory',
      value: `${io.cwd} (${setup.trusted ? 'trusted' : 'not trusted: its settings run no commands; --trust changes that'})`,
      ok: true,
    },
    picked.type === 'adapter' ? { name: 'model', value: picked.model, ok: true } : { name: 'model', value: picked.message, ok: false },
    ...[...setup.notices, ...waitingNotice(setup.mcp)].map((value) => ({ name: 'settings', value, ok: false })),
    ...hookItems(setup.hooks).map(({ event, runs, file, reason }) => ({
      name: 'hook',
      value: `${event}: ${runs} (${file}); ${reason}`,
      ok: true,
    })),
    ...(await servers(setup)),
    ...(await besides(setup)),
  ];
  const settings = origins(loaded);
  if (switched(flags, 'json')) io.stdout.write(`${JSON.stringify({ findings, settings }, null, 2)}\n`);
  else {
    const lines = findings.map(({ name, value, ok, note }) => `${ok ? 'ok' : note ? '- ' : '! '}  ${name.padEnd(14)} ${value}`);
    const rows = settings.map(({ key, layer, file }) => `    ${key}  (${layer}: ${file})`);
    say(io, [...lines, ...(rows.length === 0 ? [] : ['', 'Settings', ...rows])].join('\n'));
  }
  const needed = ['node', 'git', 'sessions'];
  return findings.some(({ name, ok }) => !ok && needed.includes(name)) ? 1 : 0;
}

/** Editors that wait for this directory, and the language server that would be found. */
async function besides({ io, trusted, loaded }: Setup): Promise<readonly Finding[]> {
  const [editors, typescript] = [await findEditors(io), await findTypescript(io.cwd, io.env)];
  const { entries, problems } = readServers(loaded.settings.lspServers ?? {});
  const servers = [...entries, ...(typescript === undefined ? [] : [typescript])];
  const when = trusted ? 'runs when a file of its language is touched' : 'does not run: the directory is not trusted';
  return [
    ...editors.map(({ name, port }) => ({ name: 'editor', value: `${name} on port ${port}`, ok: true })),
    ...servers.map(({ name, command }) => ({ name: 'lsp', value: `${name} (${command}) ${when}`, ok: true })),
    ...problems.map((value) => ({ name: 'lsp', value, ok: false })),
  ];
}

/** Milliseconds that MCP servers have to answer. */
const PATIENCE = 15_000;

/** Each server is started, asked, and ended. */
async function servers({ mcp, io, configDir }: Setup): Promise<readonly Finding[]> {
  if (!mcp.some(({ status }) => status === 'approved')) return [];
  const hub = createMcpHub({ servers: mcp, cwd: io.cwd, env: io.env, version: VERSION, logins: loginsFile(configDir), pausesMs: [] });
  try {
    await hub.settled({ ms: PATIENCE, signal: io.signal });
    return hub.servers.map(({ name, state, why, tools, scope }) => {
      const says =
        state === 'ready'
          ? `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`
          : state === 'failed'
            ? (why ?? 'failed')
            : `no answer in ${PATIENCE / 1_000} s`;
      return { name: 'mcp', value: `${name} (${scope}): ${says}`, ok: state === 'ready' };
    });
  } finally {
    await hub.close();
  }
}

/** Keys and where they come from. Values stay out: some are secret. */
function origins({ origins }: LoadedSettings): readonly { readonly key: string; readonly layer: string; readonly file: string }[] {
  return [...origins].map(([key, { layer, file }]) => ({ key, layer, file }));
}

async function program(name: string, cwd: string, missing: Finding): Promise<Finding> {
  try {
    const { stdout } = await run(name, ['--version'], { cwd, timeout: 5_000 });
    return { name, value: stdout.split('\n')[0] ?? '', ok: true };
  } catch {
    return missing;
  }
}

function isNew(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** Or can be made: the nearest folder that exists is writable. */
function isWritable(path: string): boolean {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
