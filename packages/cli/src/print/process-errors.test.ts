/** What goes wrong with a run: one line that says what to do, the right status, and a result where one was asked for. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonlStore } from '@sidenote/node';
import { expect, it } from 'vitest';
import { say, use } from './loopback-model.testing.js';
import { resultsOf, workplace } from './program.testing.js';

const place = workplace();
const { serve, sidenote } = place;

it('names the flag that helps where a session is in use, and where nobody could be asked', async () => {
  const session = '0b0e8f5e-6d2a-4c4f-9a53-1f2b3c4d5e6f';
  await serve([use('Bash', { command: 'touch made' })], [say('one')]);
  const alone = await sidenote(['-p', 'go', '--session-id', session]);
  expect(alone.err).toContain("nobody is there to ask. --allowedTools 'Bash(touch made)' allows it.");
  const writing = await jsonlStore({ cwd: place.project, configDir: join(place.root, 'home', '.sidenote') }).open(session, { write: true });
  expect((await sidenote(['-p', 'on', '-r', session])).err).toContain('or go on in a fork (--fork-session)');
  await writing.close();
});

it('has a result without a key, for a bad line, and for a missing session', async () => {
  const keyless = await sidenote(['-p', 'go', '--output-format', 'json']);
  expect(keyless.status).toBe(1);
  expect(String(resultsOf(keyless)[0]?.['result'])).toContain('ANTHROPIC_API_KEY');
  await serve();
  const bad = await sidenote(['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'], { stdin: 'nonsense\n' });
  expect(bad.status).toBe(1);
  expect(resultsOf(bad)).toMatchObject([{ is_error: true }]);
  const missing = await sidenote(['-p', 'go', '-c', '--output-format', 'json']);
  expect(missing.status).toBe(1);
  expect(String(resultsOf(missing)[0]?.['result'])).toContain('no session in this directory yet');
  expect(missing.err).toContain('no session in this directory yet');
});

it('refuses the id of a session that there is: a new one would be written into it', async () => {
  await serve([say('one')]);
  const named = ['-p', 'go', '--session-id', '11111111-1111-4111-8111-111111111111'];
  expect((await sidenote(named)).status).toBe(0);
  const again = await sidenote(named);
  expect(again.status).toBe(2);
  expect(again.err).toContain('-r 11111111-1111-4111-8111-111111111111 goes on with it');
  expect(place.model?.bodies).toHaveLength(1);
});

it('leaves a budget for thoughts out where the model takes none, and says so', async () => {
  await serve([say('one')]);
  const run = await sidenote(['-p', 'go', '--tools', '', '--model', 'opus'], { env: { MAX_THINKING_TOKENS: '0' } });
  expect(run).toMatchObject({ status: 0, out: 'one\n' });
  expect(run.err).toContain('MAX_THINKING_TOKENS has no effect: claude-opus-5-5 takes no budget');
  expect(place.model?.bodies[0]?.['thinking']).toMatchObject({ type: 'adaptive' });
  expect(place.model?.bodies[0]?.['tools'] ?? []).toEqual([]);
});

it.each([
  [['--modle', 'x'], 'did you mean --model?'],
  [['-p'], 'needs a prompt'],
  [['--mcp-config', 'x'], "can't be read for MCP servers"],
  [['-p', 'x', '--tools', 'Raed'], 'did you mean Read?'],
])('refuses %j with one line and status 2', async (args, words) => {
  await serve();
  const run = await sidenote(args);
  expect(run).toMatchObject({ status: 2, out: '' });
  expect(run.err).toContain(words);
  expect(run.err.trim().split('\n')).toHaveLength(1);
});

it('wants a terminal or -p', async () => {
  await serve();
  expect(await sidenote([])).toMatchObject({ status: 2, err: expect.stringContaining('no terminal') as string });
});

it('says in which file a permission rule stands that can’t be read', async () => {
  await mkdir(join(place.project, '.sidenote'));
  await writeFile(join(place.project, '.sidenote/settings.json'), JSON.stringify({ permissions: { deny: ['Bash(rm'] } }));
  await serve([say('Done.')]);
  expect((await sidenote(['-p', 'go'])).err).toContain(
    `The permission rule "Bash(rm" of ${place.project}/.sidenote/settings.json was left out`,
  );
});

it('leaves the settings of an untrusted directory out, and says so', async () => {
  await mkdir(join(place.project, '.sidenote'));
  await writeFile(join(place.project, '.sidenote/settings.json'), JSON.stringify({ permissions: { allow: ['Bash'] }, modle: 'x' }));
  await serve([use('Bash', { command: 'touch made' })], [say('Done.')]);
  const run = await sidenote(['-p', 'go']);
  expect(run.err).toContain('"permissions.allow" was left out');
  expect(run.err).toContain('modle');
  expect(await readdir(place.project)).not.toContain('made');
});
