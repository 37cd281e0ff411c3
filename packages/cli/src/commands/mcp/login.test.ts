import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loginServer, type LoginServer } from '../../../../node/src/mcp/login/login-server.testing.js';
import { loopbackModel, say, type LoopbackModel } from '../../print/loopback-model.testing.js';
import { run } from '../../run.js';
import { testProject, type TestProject } from '../run.testing.js';

let server: LoginServer;
let model: LoopbackModel;
let project: TestProject;
beforeEach(async () => {
  server = await loginServer();
  model = await loopbackModel([], () => [say('done')]);
});
afterEach(async () => {
  await project.remove();
  await model.close();
  await server.close();
});

/** A screen with a browser on it: it opens the page that it is given, and allows what the page asks. */
async function withBrowser(): Promise<void> {
  const made = await testProject();
  await made.remove();
  const bin = join(made.root, 'bin');
  await mkdir(bin, { recursive: true });
  const browser = `#!${process.execPath}\nfetch(process.argv[2]);\n`;
  for (const name of ['xdg-open', 'open']) {
    await writeFile(join(bin, name), browser);
    await chmod(join(bin, name), 0o755);
  }
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, DISPLAY: ':1', ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' };
  project = await testProject(env);
}

it('logs in at a server by browser, so that sessions reach it, and out again', async () => {
  await withBrowser();
  const failure = (...args: readonly string[]) => project.run(...args).then(String, String);
  await project.run('mcp', 'add', 'notes', '--transport', 'http', server.url);
  await project.run('mcp', 'add', 'local', '--', 'true');
  const before = await project.run('-p', 'hi');
  expect(before.err).toContain("MCP server notes: can't be used: it wants a login (`sidenote mcp login` with its name)");
  const { out, status } = await project.runOnTerminal('mcp', 'login', 'notes');
  expect(status).toBe(0);
  expect(out).toMatch(/open this page and allow it:\nhttp:\/\/127\.0\.0\.1:\d+\/authorize\?/);
  expect(out).toContain('logged in at notes');
  const after = await project.run('-p', 'hi');
  expect(after.err).not.toContain('notes');
  expect(JSON.stringify(model.bodies.at(-1))).toContain('mcp__notes__read');
  expect((await project.run('mcp', 'logout', 'notes')).out).toContain('the login at notes is forgotten here');
  expect((await project.run('mcp', 'logout', 'notes')).out).toContain('there was no login at notes');
  expect((await project.run('-p', 'hi')).err).toContain('it wants a login');
  expect(await failure('mcp', 'login', 'local')).toContain('started on this machine');
  expect(await failure('mcp', 'login', 'nowhere')).toContain('there is no MCP server nowhere');
});

it('ends like any command at a signal', async () => {
  await withBrowser();
  await project.run('mcp', 'add', 'notes', '--transport', 'http', server.url);
  const ending = new AbortController();
  let told = '';
  const status = await run({
    ...project.io('mcp', 'login', 'notes'),
    stdout: { write: (text) => void (text.includes('open this page') && ending.abort('SIGTERM')) },
    stderr: { write: (text) => void (told += text) },
    signal: ending.signal,
  });
  expect(status).toBe(143);
  expect(told).toBe('sidenote: the login at notes was broken off\n');
});
