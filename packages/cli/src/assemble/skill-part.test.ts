import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, type LoopbackModel, type Reply } from '../print/loopback-model.testing.js';

let project: TestProject;
let model: LoopbackModel;
/** Read when a command runs. */
const env: Record<string, string> = { ANTHROPIC_API_KEY: 'key' };
beforeEach(async () => {
  project = await testProject(env);
  await mkdir(join(project.cwd, '.git'));
});
afterEach(async () => {
  await model.close();
  await project.remove();
});

const call = (id: string, name: string, input: unknown): Reply => [{ type: 'tool_use', id, name, input }];

async function print(replies: readonly Reply[], ...args: readonly string[]) {
  model = await loopbackModel(replies);
  env['ANTHROPIC_BASE_URL'] = model.url;
  const ran = await project.run('-p', '--verbose', ...args);
  return { ...ran, texts: model.bodies.map((body) => JSON.stringify(body['messages']).replaceAll('\\n', '\n').replaceAll('\\"', '"')) };
}
const count = (text: string | undefined, words: string) => (text ?? '').split(words).length - 1;

it('lists skills once, names those that fit, loads one, and tells what was found beside a touched file', async () => {
  await project.put({
    '.claude/skills/release-notes/SKILL.md': '---\ndescription: Writes release notes.\n---\nBODY: use one worker.\n',
    '.claude/skills/release-notes/references/style.md': 'STYLE\n',
    'apps/web/.claude/skills/theme/SKILL.md': '---\ndescription: Changes colours.\n---\nTHEME\n',
    'apps/web/a.css': 'a {}\n',
  });
  const { texts, err } = await print(
    [
      call('c1', 'Skill', { skill: 'release-notes' }),
      call('c2', 'Read', { file_path: join(project.cwd, 'apps/web/a.css') }),
      call('c3', 'Skill', { skill: 'theme' }),
      [{ type: 'text', text: 'done' }],
    ],
    'Write the release notes',
  );
  expect(texts).toHaveLength(4);
  expect(texts[0]).toContain('- release-notes: Writes release notes.');
  expect(texts[0]).toContain('these skills may fit the request: release-notes.');
  expect(texts[0]).not.toContain('theme');
  expect(texts[1]).toContain('references/style.md');
  expect(count(texts[3], 'BODY: use one worker.')).toBe(1);
  expect(count(texts[3], '- release-notes:')).toBe(1);
  expect(count(texts[2], '- theme: Changes colours.')).toBe(1);
  expect(texts[3]).toContain('THEME');
  expect(err).toContain('◇ skills in apps/web/.claude/skills: theme');
  expect(texts[3]).not.toContain('skills in');
});

it('a project without skills is told nothing of them', async () => {
  const { texts } = await print([[{ type: 'text', text: 'done' }]], 'Hello');
  expect(texts[0]).not.toMatch(/skill/i);
});

it('what a person types is sent with its text, and a skill that fails is refused without a request', async () => {
  await project.put({
    '.claude/commands/issue.md': '---\nargument-hint: <number>\n---\nLook at issue $0 with @notes.txt.\n',
    '.claude/commands/broken.md': 'Now: !`exit 3`\n',
    'notes.txt': 'NOTES-OF-IT\n',
  });
  const done = await print([[{ type: 'text', text: 'done' }]], '/issue 12');
  expect(done.texts[0]).toContain('"/issue 12"');
  expect(done.texts[0]).toContain('Look at issue 12 with @notes.txt.');
  expect(done.texts[0]).toContain('NOTES-OF-IT');
  await model.close();
  const broken = await print([], '/broken');
  expect([broken.status, broken.texts]).toEqual([1, []]);
  expect(broken.err).toContain('The command broken was not loaded');
  await model.close();
  await project.put({
    '.claude/skills/tides/SKILL.md': '---\ndescription: Reads tide tables.\n---\nRead them.\n',
    '.claude/settings.json': '{"outputStyle": "concise"}',
  });
  const streamed = await print([[{ type: 'text', text: 'done' }]], '--output-format', 'stream-json', 'Hello');
  const init = JSON.parse(streamed.out.split('\n')[0] ?? '');
  expect(init).toMatchObject({ skills: ['tides'], output_style: 'Concise' });
  expect(init.slash_commands).toEqual(expect.arrayContaining(['issue', 'tides']));
  await model.close();
  const unknown = await print([], '/isue 12');
  expect(unknown.err).toContain('unknown command /isue: did you mean /issue?');
  await model.close();
  expect((await print([], '/skills')).err).toContain('there is no /skills: /help lists them');
});

it('a command of a folder that nobody trusts opens no file outside of it', async () => {
  await project.put({
    '.claude/commands/look.md': 'Look at @../home/secret.txt and @inside.txt and @~/secret.txt and @link.txt.\n',
    '../home/secret.txt': 'SECRET-OF-IT\n',
    'inside.txt': 'INSIDE\n',
  });
  await symlink('../home/secret.txt', join(project.cwd, 'link.txt'));
  const untrusted = await print([[{ type: 'text', text: 'done' }]], '/look @inside.txt');
  expect(untrusted.texts[0]).not.toContain('SECRET-OF-IT');
  expect(untrusted.texts[0]).toContain('INSIDE');
  expect(untrusted.err).toContain(
    '/look @inside.txt: it mentions files outside the project (@../home/secret.txt, @~/secret.txt, @link.txt)',
  );
  await model.close();
  const trusted = await print([[{ type: 'text', text: 'done' }]], '--trust', '/look');
  expect(trusted.texts[0]).toContain('SECRET-OF-IT');
});

it('what is new and gone since is told with the next words of a resumed session', async () => {
  await project.put({
    '.claude/skills/old/SKILL.md': '---\ndescription: Old.\n---\n',
    '.claude/skills/stays/SKILL.md': '---\ndescription: Stays.\n---\n',
  });
  await print([[{ type: 'text', text: 'done' }]], 'one');
  await model.close();
  await project.put({ '.claude/skills/new/SKILL.md': '---\ndescription: New.\n---\n' });
  await rm(join(project.cwd, '.claude/skills/old'), { recursive: true });
  const { texts } = await print([[{ type: 'text', text: 'done' }]], '--continue', 'two');
  expect(texts[0]).toContain('These skills are new or have changed:\n- new: New.\nThese skills are gone: old.');
  expect(count(texts[0], '- stays: Stays.')).toBe(1);
});

it('a typed skill comes again after a compaction, word for word, with the arguments it had', async () => {
  await project.put({ '.claude/skills/one/SKILL.md': '---\ndescription: One.\n---\nBODY: use one worker for $0.\n' });
  await print([[{ type: 'text', text: 'done' }]], '/one docs');
  await model.close();
  await project.put({ '.claude/skills/one/SKILL.md': '---\ndescription: One.\n---\nChanged since.\n' });
  await print([[{ type: 'text', text: '<summary>It went well.</summary>' }]], '--continue', '/compact');
  await model.close();
  const { texts, err } = await print([[{ type: 'text', text: 'done' }]], '--continue', 'Go on');
  expect(texts[0]).toContain('It went well.');
  expect(count(texts[0], 'BODY: use one worker for docs.')).toBe(1);
  expect(err).toContain('◇ skills again: one');
});

it('denies what a skill denies until the turn ends, whoever loads it, and names its fields without effect', async () => {
  await project.put({
    '.claude/skills/calm/SKILL.md':
      '---\ndescription: Looks.\ndisallowed-tools: Bash(touch:*), Write, Odd(x)\nmodel: opus\neffort: high\n---\nLOOK\n',
  });
  const write = { file_path: join(project.cwd, 'b.txt'), content: 'b' };
  const mode = ['--dangerously-skip-permissions'];
  const { texts, err } = await print(
    [
      call('c1', 'Bash', { command: 'touch first.txt' }),
      call('c2', 'Skill', { skill: 'calm' }),
      call('c3', 'Bash', { command: 'ls && touch second.txt' }),
      call('c4', 'Write', write),
      [{ type: 'text', text: 'done' }],
    ],
    'Look',
    ...mode,
  );
  expect(err.split('the skill calm: model, effort in its front matter have no effect here')).toHaveLength(2);
  expect(err.split('the skill calm: The permission rule "Odd(x)" was left out: rules for Odd take no such part')).toHaveLength(2);
  expect(texts[3]).toMatch(/the rule Bash\(touch[^)]*\) forbids it/);
  expect(texts[4]).toContain('the rule Write forbids it');
  const typed = await print([call('c5', 'Write', write), [{ type: 'text', text: 'done' }]], '/calm', ...mode);
  expect(typed.texts[1]).toContain('the rule Write forbids it');
  const later = await print([call('c6', 'Write', write), [{ type: 'text', text: 'done' }]], 'Now write', '-c', ...mode);
  expect(later.texts[1]?.split('the rule Write forbids it')).toHaveLength(2);
  expect(await readFile(join(project.cwd, 'b.txt'), 'utf8')).toBe('b');
  expect((await readdir(project.cwd)).filter((name) => name.endsWith('.txt'))).toEqual(['b.txt', 'first.txt']);
});
