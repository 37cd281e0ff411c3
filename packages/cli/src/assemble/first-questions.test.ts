import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseFlags } from '../flags/parse.js';
import type { Io } from '../io.js';
import { answered, type Question } from './first-questions.js';
import { setUp, type Setup } from './set-up.js';

let root = '';
let project = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'questions-')));
  project = join(root, 'project');
  await mkdir(join(project, '.sidenote'), { recursive: true });
  await mkdir(join(root, 'home'));
  await writeFile(join(root, 'outside.md'), 'Outside.\n');
  await writeFile(join(project, 'CLAUDE.md'), 'Inside.\n@../outside.md\n');
  await writeFile(join(project, '.sidenote/settings.json'), '{"permissions": {"allow": ["Bash(ls:*)"]}}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const nothing = { write: () => {} };
const io = (): Io => ({
  args: [],
  env: { HOME: join(root, 'home') },
  cwd: project,
  home: join(root, 'home'),
  stdin: (async function* () {})(),
  stdout: nothing,
  stderr: nothing,
  signal: new AbortController().signal,
});
const prepared = (): Promise<Setup> => setUp(io(), parseFlags([]));

/** Answers in order; gives what was asked. */
async function play(answers: readonly (string | undefined)[]): Promise<{ readonly setup: Setup; readonly asked: readonly Question[] }> {
  const asked: Question[] = [];
  const choose = async (question: Question): Promise<string | undefined> => answers[asked.push(question) - 1];
  return { setup: await answered(await prepared(), { choose, tell: () => {} }), asked };
}

it('asks what matters here, once, and keeps the answers', async () => {
  const { setup, asked } = await play(['yes', 'no']);
  expect(asked.map(({ details }) => details)).toEqual([
    ['permissions.allow in .sidenote/settings.json'],
    [`${join(root, 'outside.md')}, imported by CLAUDE.md, line 2`],
  ]);
  expect(setup.loaded.settings.permissions?.allow).toEqual(['Bash(ls:*)']);
  expect(setup).toMatchObject({ externalImports: 'declined' });
  const kept: unknown = JSON.parse(await readFile(join(root, 'home/.sidenote/state.json'), 'utf8'));
  expect(kept).toEqual({ projects: { [project]: { trusted: true, externalImports: 'declined' } } });
  expect((await play([])).asked).toEqual([]);
});

it('asks again where no answer was given, and trusts nothing meanwhile', async () => {
  const { setup } = await play([undefined, undefined]);
  expect(setup.loaded.settings.permissions?.allow).toBeUndefined();
  expect(setup.notices.join('\n')).toContain('--trust applies it');
  expect((await play([undefined, undefined])).asked).toHaveLength(2);
});

it('asks for servers of .mcp.json, and anew when one of them runs something else', async () => {
  const runs = (command: string) => writeFile(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { a: { command } } }));
  await runs('one');
  const { setup, asked } = await play(['no', 'no', 'yes']);
  expect(asked[2]?.details).toEqual(['a: one']);
  expect(setup.mcp[0]?.status).toBe('approved');
  expect((await prepared()).mcp[0]?.status).toBe('approved');
  await runs('two');
  expect((await prepared()).mcp[0]?.status).toBe('waiting');
  expect((await play(['no'])).setup.mcp[0]?.status).toBe('declined');
  expect((await play([])).asked).toEqual([]);
});

it('asks for hooks and rules that skills and agents of the folder bring, with the settings or where there are none', async () => {
  const hooks = 'hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: "true"\n';
  for (const folder of ['.claude/agents', '.claude/skills/tidy', '.claude/skills/plain'])
    await mkdir(join(project, folder), { recursive: true });
  await writeFile(join(project, '.claude/agents/a.md'), `---\nname: a\ndescription: x\npermissionMode: auto\n${hooks}---\nWork.\n`);
  await writeFile(join(project, '.claude/skills/tidy/SKILL.md'), `---\ndescription: x\nallowed-tools: Bash(ls *)\n${hooks}---\nTidy.\n`);
  await writeFile(join(project, '.claude/skills/plain/SKILL.md'), '---\ndescription: x\n---\nPlain.\n');
  await rm(join(project, 'CLAUDE.md'));
  const brought = [
    'permissionMode in .claude/agents/a.md',
    'hooks in .claude/agents/a.md',
    'hooks in .claude/skills/tidy/SKILL.md',
    'allowed-tools in .claude/skills/tidy/SKILL.md',
  ];
  expect((await play([undefined])).asked[0]?.details).toEqual(['permissions.allow in .sidenote/settings.json', ...brought]);
  await rm(join(project, '.sidenote'), { recursive: true });
  const { setup, asked } = await play(['yes']);
  expect(asked.map(({ details }) => details)).toEqual([brought]);
  const { value } = await setup.agents.read();
  expect(value.agents.get('a')).toMatchObject({ permissionMode: 'auto', hooks: expect.anything() });
  expect(setup.trusted).toBe(true);
  expect((await play([])).asked).toEqual([]);
});

it('names no more of what waits than a person reads', async () => {
  await rm(join(project, 'CLAUDE.md'));
  for (let at = 0; at < 20; at++) {
    await mkdir(join(project, `.claude/skills/s${at}`), { recursive: true });
    await writeFile(join(project, `.claude/skills/s${at}/SKILL.md`), '---\ndescription: x\nallowed-tools: Read\n---\nText.\n');
  }
  const { asked } = await play(['no']);
  expect(asked[0]?.details).toHaveLength(13);
  expect(asked[0]?.details.at(-1)).toBe('and 9 more');
  expect((await play([])).asked).toEqual([]);
});
