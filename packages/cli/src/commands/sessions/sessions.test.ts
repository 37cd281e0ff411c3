import { utimes } from 'node:fs/promises';
import { sessionFile } from '@sidenote/node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loopbackModel, type LoopbackModel } from '../../print/loopback-model.testing.js';
import { testProject, type TestProject } from '../run.testing.js';

const ID = '11111111-1111-4111-8111-111111111111';
let project: TestProject;
let model: LoopbackModel;
beforeEach(async () => {
  const text = Array.from({ length: 30 }, (_, row) => (row === 15 ? 'row \u001b[2J15' : `row ${row}`)).join('\n');
  model = await loopbackModel([
    [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a.txt' } }],
    [{ type: 'text', text: 'It has rows.' }],
  ]);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' });
  await project.put({ 'a.txt': `${text}\n`, 'AGENTS.md': 'RULE-FERN ``` here\n' });
  await project.run('-p', 'Read a.txt, please', '--session-id', ID);
});
afterEach(async () => {
  await model.close();
  await project.remove();
});

it('shows what was typed, done and answered, and what was injected only when it is asked for', async () => {
  const { out } = await project.run('sessions', 'show');
  expect(out).toMatch(new RegExp(`^# Session ${ID}, \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\n\n## You\n`));
  expect(out).toContain('## You\n\nRead a.txt, please\n\n### Read a.txt\n\n```\n1    row 0');
  expect(out).toContain('[20 more lines]\n```\n\n## Answer\n\nIt has rows.');
  expect(out).not.toMatch(/RULE-FERN|system-reminder/);
  const whole = (await project.run('sessions', 'show', ID.slice(0, 6), '--verbose')).out;
  expect(whole).toMatch(/### Injected: project instructions: 1 file\n\n````\n[^#]*RULE-FERN ``` here\n[^#]*````/);
});

it('exports all of it, as Markdown or as records', async () => {
  const { out } = await project.run('sessions', 'export', ID);
  expect(out).toContain('\trow 29\n```');
  expect(out).toContain('\u001b[2J');
  expect((await project.runOnTerminal('sessions', 'export', ID)).out).toBe(out.replaceAll('\u001b[2J', '').replaceAll('\t', '    '));
  const { session, records } = JSON.parse((await project.run('sessions', 'export', '--json')).out);
  expect(session).toBe(ID);
  expect(records.map(({ type }: { type: string }) => type)).toContain('tool_result');
});

it('removes what was not written for so many days, and what the setting says when a session ends', async () => {
  const old = async (days: number): Promise<void> => {
    const at = new Date(Date.now() - days * 86_400_000);
    await utimes(sessionFile({ cwd: project.cwd, configDir: `${project.home}/.sidenote`, session: ID }), at, at);
  };
  await old(5);
  expect((await project.run('sessions', 'prune', '6')).out).toBe('nothing to remove\n');
  const unsaved = await project.run('-p', 'go', '--no-session-persistence', '--settings', '{"cleanupPeriodDays":4}');
  expect(unsaved.err).not.toContain('removed');
  const run = await project.run('-p', 'go', '--settings', '{"cleanupPeriodDays":4}');
  expect(run.err).toContain('sessions not written for 4 days were removed (cleanupPeriodDays): 1');
  const left = JSON.parse((await project.run('sessions', '--json')).out);
  expect(left.sessions).toHaveLength(1);
  expect((await project.run('sessions', 'prune', '0')).out).toBe(`removed\n  ${left.sessions[0].id}\n`);
});

it.each([
  [['shw'], 'did you mean show?'],
  [['prune'], 'prune <days>'],
  [['show', 'a', 'b'], 'sidenote sessions [list]'],
  [['show', 'nope'], 'no session nope in this directory'],
])('refuses %j', async (words, why) => {
  await expect(project.run('sessions', ...words)).rejects.toThrow(why);
});
