import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentDefinitions } from './catalogue.js';

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'agents-')));
  await mkdir(join(root, 'repo/.git'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}
const define = (name: string, more = '', body = 'Body.') => `---\nname: ${name}\ndescription: does it\n${more}---\n${body}\n`;
const files = (more: Partial<Parameters<typeof agentDefinitions>[0]> = {}) =>
  agentDefinitions({
    cwd: join(root, 'repo/pkg'),
    home: join(root, 'home'),
    configDir: join(root, 'home/.sidenote'),
    managed: [join(root, 'managed')],
    ...more,
  });
const problemsOf = async (more: Partial<Parameters<typeof agentDefinitions>[0]> = {}) =>
  (await files(more).read()).value.problems.map(({ file, line, message }) => `${file.slice(root.length)}:${line}: ${message}`);

it('reads every field that applies', async () => {
  await put({
    'repo/.claude/agents/reviewer.md': `---
name: reviewer
description: Reviews: with care
tools: Read, Grep, Bash(git log:*, git show:*)
disallowedTools: [Write]
model: haiku
permissionMode: plan
maxTurns: 12
skills: [style]
background: true
effort: low
isolation: worktree
color: blue
initialPrompt: Begin.
criticalReminder: Never push.
---
You review.
`,
  });
  const { agents, problems } = (await files().read()).value;
  expect(problems).toEqual([]);
  expect(agents.get('reviewer')).toEqual({
    name: 'reviewer',
    description: 'Reviews: with care',
    prompt: 'You review.',
    scope: 'project',
    file: join(root, 'repo/.claude/agents/reviewer.md'),
    tools: ['Read', 'Grep', 'Bash(git log:*, git show:*)'],
    disallowedTools: ['Write'],
    model: 'haiku',
    permissionMode: 'plan',
    maxTurns: 12,
    skills: ['style'],
    background: true,
    effort: 'low',
    isolation: 'worktree',
    color: 'blue',
    initialPrompt: 'Begin.',
    criticalReminder: 'Never push.',
  });
});

it('lets the organisation win, then the command line, then the nearest folder, then the person', async () => {
  await put({
    'managed/agents/a.md': define('a', '', 'managed'),
    'repo/pkg/.claude/agents/b.md': define('b', '', 'near'),
    'repo/pkg/.sidenote/agents/x/b.md': define('b', '', 'nearest'),
    'repo/.claude/agents/b.md': define('b', '', 'far'),
    'repo/.claude/agents/c.md': define('c', '', 'project'),
    'home/.claude/agents/c.md': define('c', '', 'user'),
    'home/.sidenote/agents/d.md': define('d', '', 'user'),
    '.claude/agents/e.md': define('e', '', 'outside'),
  });
  const json = JSON.stringify({ a: { description: 'x', prompt: 'flag' }, d: { description: 'x', prompt: 'flag' } });
  const { agents, problems } = (await files({ json }).read()).value;
  expect([...agents].map(([name, { prompt }]) => `${name} ${prompt}`)).toEqual(['a managed', 'd flag', 'b nearest', 'c project']);
  expect(problems).toHaveLength(5);
  expect([...(await files({ sources: ['user'] }).read()).value.agents.keys()]).toEqual(['a', 'd', 'c']);
});

it('says with file and line what is wrong, and loads the rest', async () => {
  await put({
    'repo/.claude/agents/bad-yaml.md': '---\nname: [a\n b: }\n---\nx\n',
    'repo/.claude/agents/colon.md': define('plugin:x'),
    'repo/.claude/agents/good.md': define('good', 'maxTurns: many\ntool: Read\nmemory: mine\neffort: none\n'),
    'repo/.claude/agents/long.md': define('long', `criticalReminder: ${'x'.repeat(601)}\n`),
    'repo/.claude/agents/nameless.md': '---\ndescription: x\n---\nx\n',
    'repo/.claude/agents/note.txt': 'no definition',
    'repo/.claude/agents/wide.md': define('wide', 'permissionMode: bypassPermissions\n'),
  });
  execFileSync('mkfifo', [join(root, 'repo/.claude/agents/pipe.md')]);
  expect(await problemsOf()).toEqual([
    '/repo/.claude/agents/bad-yaml.md:2: its front matter is not valid YAML; the agent is not loaded',
    '/repo/.claude/agents/colon.md:2: the name plugin:x holds a colon, which belongs to plugins; the agent is not loaded',
    '/repo/.claude/agents/good.md:5: `tool` is no field of an agent; did you mean tools?',
    '/repo/.claude/agents/good.md:4: `maxTurns` is not a whole number from 1; it was left out',
    '/repo/.claude/agents/good.md:6: `memory` is none of user, project, local; it was left out',
    '/repo/.claude/agents/good.md:7: `effort` is none of low, medium, high, xhigh, max; it was left out',
    '/repo/.claude/agents/long.md:4: `criticalReminder` has 601 characters; 600 are allowed; the agent is not loaded',
    '/repo/.claude/agents/nameless.md:1: `name` is missing; the agent is not loaded',
    "/repo/.claude/agents/pipe.md:1: can't be read as an agent (fifo)",
    '/repo/.claude/agents/wide.md:4: `permissionMode: bypassPermissions` counts only once this folder is trusted; it was left out',
  ]);
  expect([...(await files({ trusted: true }).read()).value.agents.keys()]).toEqual(['good', 'wide']);
  expect((await files({ json: '{"a": 1, "b": {"prompt": "x"}} x' }).read()).value.problems[0]?.file).toBe('--agents');
  expect(await problemsOf({ json: '{"b": {"prompt": "x"}}' })).toContain(':1: b: `description` is missing; the agent is not loaded');
});

it('takes no powers from a folder that nobody trusts: modes that ask less, models and words that run commands, files of others', async () => {
  await put({
    'repo/.claude/agents/a.md': define('a', 'model: " script:x.json"\n'),
    'repo/.claude/agents/b.md': define('b', 'initialPrompt: "!touch x"\n'),
    'repo/.claude/agents/c.md': define('c', 'initialPrompt: " /model script:x.json"\n'),
    'repo/.claude/agents/d.md': define('d', 'initialPrompt: Look around.\nmodel: haiku\npermissionMode: plan\n'),
    'other/e.md': define('e'),
  });
  await symlink(join(root, 'other/e.md'), join(root, 'repo/.claude/agents/e.md'));
  const untrusted = (await files().read()).value.agents;
  expect([...untrusted.keys()]).toEqual(['a', 'b', 'c', 'd']);
  expect(untrusted.get('a')).not.toHaveProperty('model');
  for (const name of ['b', 'c']) expect(untrusted.get(name)).not.toHaveProperty('initialPrompt');
  expect(untrusted.get('d')).toMatchObject({ initialPrompt: 'Look around.', model: 'haiku', permissionMode: 'plan' });
  expect(await problemsOf()).toHaveLength(4);
  const trusted = (await files({ trusted: true }).read()).value;
  expect([trusted.agents.size, trusted.problems]).toEqual([5, []]);
});

it('keeps hooks as they were written, says what of them would not run, and leaves them out of a folder that nobody trusts', async () => {
  const hooks = 'hooks:\n  Stop: [{ hooks: [{ type: command, command: x }] }]\n  Never: []\n  PreToolUse: 1\n';
  await put({ 'repo/.claude/agents/a.md': define('a', hooks), 'home/.claude/agents/b.md': define('b', hooks) });
  const { agents } = (await files().read()).value;
  expect(agents.get('a')).not.toHaveProperty('hooks');
  expect(agents.get('b')?.hooks).toMatchObject({ layer: 'user', line: 4, events: { Stop: [{ hooks: [{ command: 'x' }] }] } });
  expect(await problemsOf()).toEqual([
    '/repo/.claude/agents/a.md:4: `hooks` counts only once this folder is trusted; it was left out',
    '/home/.claude/agents/b.md:4: "hooks.Never": there is no such event',
    '/home/.claude/agents/b.md:4: "hooks.PreToolUse" is no list; it was left out',
  ]);
});

it('notices what changed on the disk, and only that', async () => {
  await put({ 'repo/.claude/agents/a.md': define('a') });
  const source = files();
  const first = await source.read();
  expect(await source.read()).toBe(first);
  await put({ 'repo/.claude/agents/b.md': define('b') });
  expect([...(await source.read()).value.agents.keys()]).toEqual(['a', 'b']);
  await rm(join(root, 'repo/.claude/agents/a.md'));
  expect([...(await source.read()).value.agents.keys()]).toEqual(['b']);
});
