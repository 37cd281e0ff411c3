import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folders, type Folders } from './folder.testing.js';
import { partsOf } from './injected.js';
import { renderSkill, type Injected } from './render-skill.js';

let at: Folders;
beforeEach(async () => {
  at = await folders();
});
afterEach(() => at.remove());

const run = async (command: string): Promise<Injected> =>
  command.startsWith('bad') ? { type: 'failed', why: 'it ended with exit code 2' } : { type: 'output', text: `<${command}>` };

async function render(name: string, how: { args?: string; trusted?: boolean } = {}) {
  const found = await at.library({ trusted: how.trusted ?? true }).find(name);
  if (found.type === 'missing') throw new Error(`there is no ${name}`);
  return renderSkill(found.skill, { args: how.args ?? '', variables: {}, trusted: how.trusted ?? true, run });
}

it('finds commands in spans and fences, and not where they are written about', () => {
  const body = 'Now: !`git status`\n```sh\n!`not this`\n```\n```!\nnpm ls\nnpm -v\n```\nword!`no`\n~~~\n!`open fence`\n';
  expect(partsOf(body).filter(({ type }) => type === 'command')).toEqual([
    { type: 'command', command: 'git status', line: 1 },
    { type: 'command', command: 'npm ls\nnpm -v', line: 5 },
  ]);
});

it('takes no time over texts that were written to take time', () => {
  expect(partsOf(`a\n${'`'.repeat(500_000)}`)).toHaveLength(1);
  expect(partsOf(`${' ~~~'.repeat(100_000)}\n${'~~~\n```\n'.repeat(50_000)}`)).toHaveLength(1);
  expect(partsOf(' !`a`\n'.repeat(100_000)).at(-2)).toEqual({ type: 'command', command: 'a', line: 100_000 });
});

it('names the folder and its files, fills in arguments, and puts output in the place of commands', async () => {
  await at.put({
    '.claude/skills/deploy/SKILL.md': '---\ndescription: x\n---\nTo $0: !`git log $0`\n\nSee ${CLAUDE_SKILL_DIR}/ref/a.md\n',
    '.claude/skills/deploy/ref/a.md': '',
    '.claude/skills/deploy/run.sh': '',
  });
  const folder = join(at.cwd, '.claude/skills/deploy');
  expect(await render('deploy', { args: 'main' })).toEqual({
    type: 'text',
    text: `Skill deploy, from the folder ${folder}. Read what it refers to there when you need it: ref/a.md, run.sh.\n\nTo main: <git log main>\n\nSee ${folder}/ref/a.md`,
  });
});

it('appends arguments that nothing asks for; a command is its text alone', async () => {
  await at.put({ '.claude/commands/tidy.md': 'Tidy up.\n' });
  expect(await render('tidy', { args: 'the tests' })).toEqual({ type: 'text', text: 'Tidy up.\n\nARGUMENTS: the tests' });
});

it('a command that fails or may not run loads nothing, and says which', async () => {
  await at.put({
    '.claude/commands/a.md': 'x !`bad one`\n',
    '.claude/commands/b.md': 'x !`fine`\n',
    '../home/.claude/commands/c.md': '!`fine`',
  });
  expect(await render('a')).toEqual({
    type: 'failed',
    why: `The command a was not loaded: ${join(at.cwd, '.claude/commands/a.md')} runs \`bad one\`, and it ended with exit code 2.`,
  });
  expect(await render('b', { trusted: false })).toMatchObject({
    type: 'failed',
    why: expect.stringContaining('not trusted to run commands'),
  });
  expect(await render('c', { trusted: false })).toEqual({ type: 'text', text: '<fine>' });
});

it('arguments that look like a command are none', async () => {
  await at.put({ '.claude/commands/a.md': 'Say $ARGUMENTS\n' });
  expect(await render('a', { args: '!`rm -rf /`' })).toEqual({ type: 'text', text: 'Say !`rm -rf /`' });
});
