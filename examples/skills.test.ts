/** The skill and the command of the documentation do what it says of them. */
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderSkill, SkillLibrary, skillsPort } from '@sidenote/node';
import { afterEach, beforeEach, expect, it } from 'vitest';

let cwd = '';
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'example-skills-')));
  await mkdir(join(cwd, '.git'));
  await cp(join(import.meta.dirname, 'skills'), join(cwd, '.claude/skills'), { recursive: true });
  await cp(join(import.meta.dirname, 'commands'), join(cwd, '.claude/commands'), { recursive: true });
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const library = () => new SkillLibrary({ cwd, home: join(cwd, 'home'), env: {}, managed: { folders: [] }, trusted: true });

async function rendered(name: string, args: string): Promise<string> {
  const found = await library().find(name);
  if (found.type === 'missing') throw new Error(`there is no ${name}`);
  expect(found.skill.problems).toEqual([]);
  const run = async (command: string) => ({ type: 'output' as const, text: `(output of ${command})` });
  const text = await renderSkill(found.skill, { args, trusted: true, variables: {}, run });
  return text.type === 'text' ? text.text.replaceAll(cwd, '') : text.why;
}

it('is listed with what it is for and when to use it', async () => {
  const reading = await skillsPort(library(), { room: () => 8_000 }).read([], new AbortController().signal);
  expect(reading).toMatchObject({
    value: [
      {
        name: 'changelog',
        description:
          'Writes entries for CHANGELOG.md from the commits since the last tag. Use when a release is prepared, or when someone asks what has changed.',
      },
      { name: 'find-callers' },
      { name: 'issue' },
    ],
  });
});

it('comes with its arguments, the output of its command and the names of its files', async () => {
  expect(await rendered('changelog', '2.1')).toMatchInlineSnapshot(`
    "Skill changelog, from the folder /.claude/skills/changelog. Read what it refers to there when you need it: references/tone.md.

    # Entries for 2.1

    Commits so far:

    (output of git log --oneline -20)

    One line per change that a user notices, newest first: cause and effect, no commit hashes.
    The tone is in /.claude/skills/changelog/references/tone.md."
  `);
});

it('a command is its text with the arguments in their places', async () => {
  expect(await rendered('issue', '12 high')).toMatch(
    /^Look into issue 12 \(priority: high\)\. How we fix things is in @CONTRIBUTING\.md\./,
  );
});

it('is the task of an agent that only looks around', async () => {
  expect(await library().find('find-callers')).toMatchObject({ skill: { agent: 'Explore', problems: [] } });
  expect(await rendered('find-callers', 'parse')).toContain('every call of `parse`');
});
