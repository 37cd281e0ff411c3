import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folders, type Folders } from './folder.testing.js';

let at: Folders;
beforeEach(async () => {
  at = await folders();
});
afterEach(() => at.remove());

async function read(text: string, name = 'one') {
  await at.put({ [`.claude/skills/${name}/SKILL.md`]: text });
  const { skills, left } = await at.library().read();
  return { skill: skills.get(name), left };
}

it('takes the first paragraph where there is no description, and adds when to use it', async () => {
  const { skill } = await read('# Title\n\nMakes notes\nfor people.\n\nMore.\n');
  expect(skill).toMatchObject({ description: 'Makes notes\nfor people.', problems: [{ severity: 'warning', line: 1 }] });
  expect((await read('---\nname: one\ndescription: Makes notes.\nwhen_to_use: Use before a release.\n---\nx')).skill?.description).toBe(
    'Makes notes. Use before a release.',
  );
});

it('keeps the text of a skill whose front matter is beyond reading, and names the line', async () => {
  const { skill } = await read('---\nname: [x\n  y: }\n---\nStill here.\n');
  expect(skill).toMatchObject({
    description: 'Still here.',
    problems: [
      { severity: 'error', line: 2, message: 'its front matter is not valid YAML; none of its fields counts' },
      { severity: 'warning' },
    ],
  });
});

it('names the line of what the specification does not allow', async () => {
  const long = 'x'.repeat(1_100);
  const { skill } = await read(`---\nname: Other Name\ndescription: ${long}\npaths: 3\ndisable-model-invocation: maybe\n---\n`, 'Odd_Name');
  expect(skill?.problems.map(({ line, message }) => `${line} ${message.slice(0, 40)}`)).toMatchInlineSnapshot(`
    [
      "2 its name is Other Name, and its folder's",
      "2 Odd_Name is no name for a skill: small l",
      "3 its description has 1100 characters; at ",
      "4 "paths" is neither a text nor a list of ",
      "5 "disable-model-invocation" is neither tr",
    ]
  `);
});

it('reads what editors write: CRLF, a byte order mark, latin-1', async () => {
  expect((await read('\ufeff---\r\nname: one\r\ndescription: Does a thing.\r\n---\r\nBody\r\n')).skill?.description).toBe('Does a thing.');
  await writeFile(join(at.cwd, '.claude/skills/one/SKILL.md'), Buffer.from('---\ndescription: M\xfcll\n---\n', 'latin1'));
  expect((await at.library().read()).skills.get('one')?.description).toBe('Müll');
});

it('takes out what would move a cursor or colour a screen', async () => {
  const { skill } = await read('---\ndescription: \u001b[31mred\u001b[0m \u0007bell\n---\n');
  expect(skill?.description).toBe('red bell');
});

it('leaves out what is no text file and says so', async () => {
  const huge = await read('x'.repeat(1024 * 1024 + 1), 'huge');
  expect(huge.left).toMatchObject([{ status: 'unreadable', reason: expect.stringContaining('over the limit') }]);
  await at.put({ '.claude/skills/pipe/x': '', '.claude/skills/binary/SKILL.md': 'a\0b' });
  await promisify(execFile)('mkfifo', [join(at.cwd, '.claude/skills/pipe/SKILL.md')]);
  const { left } = await at.library().read();
  expect(left.map(({ name, reason }) => [name, reason])).toContainEqual(['pipe', 'it is a fifo, not a regular file']);
  expect(left.map(({ name, reason }) => [name, reason])).toContainEqual(['binary', 'it is not text']);
  expect((await read('text', 'with space')).left).toContainEqual(expect.objectContaining({ name: 'with space', status: 'misnamed' }));
});
