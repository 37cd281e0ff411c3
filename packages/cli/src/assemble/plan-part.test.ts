/** Modes as a process with a loopback model sees them: what is told, what is refused, what a resume and an approval change. */
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AskPlan, PlanQuestion } from '@sidenote/agent';
import { testProject, type TestProject } from '../commands/run.testing.js';
import type { Conversation } from '../conversation.js';
import { parseFlags } from '../flags/parse.js';
import { loopbackModel, say, use, type LoopbackModel, type Reply } from '../print/loopback-model.testing.js';
import { assemble } from './assemble.js';
import { createModels } from './models.js';
import { setUp } from './set-up.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
let conversation: Conversation | undefined;
afterEach(async () => {
  await conversation?.close();
  conversation = undefined;
  await model?.close();
  await project?.remove();
});

const fine: Reply = [say('fine')];
/** What of request `n` the one before it did not hold. */
const added = (n: number): string => {
  const list = (at: number) => (model?.bodies[at]?.['messages'] ?? []) as readonly unknown[];
  return JSON.stringify(list(n).slice(n === 0 ? 0 : list(n - 1).length));
};
const planPath = (): string => /\/[^\s"\\]*plans\/[^\s"\\]+\.md/.exec(JSON.stringify(model?.bodies[0]))?.[0] ?? '';

async function set(replies: readonly Reply[], files: Readonly<Record<string, string>> = {}) {
  const server = await loopbackModel(replies);
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test', IS_SANDBOX: '1' };
  const made = await testProject(env);
  [model, project] = [server, made];
  await made.put(files);
  return { ...made, bodies: server.bodies };
}

/** A session with a person, who answers about plans. */
async function withPerson({ cwd, io }: Awaited<ReturnType<typeof set>>, askPlan: AskPlan, ...args: readonly string[]) {
  const setup = await setUp(io(...args), parseFlags(args));
  const opened = await assemble(setup, createModels(setup.io.env, { cwd, profile: setup.profile }), { askPlan });
  conversation = opened;
  const turn = async (words: string): Promise<void> => {
    for await (const event of opened.agent.run(words)) void event;
  };
  return { opened, turn };
}

describe('plan mode', () => {
  it('tells its rules, and refuses what changes something, whatever rules allow', async () => {
    const { run, cwd } = await set(
      [
        [
          use('Write', { file_path: 'new.txt', content: 'x' }),
          use('Bash', { command: 'cat a.txt && touch new.txt' }),
          use('Bash', { command: 'cat a.txt' }),
        ],
        fine,
      ],
      { 'a.txt': 'content-elm\n' },
    );
    await run('-p', 'go', '--permission-mode', 'plan', '--allowedTools', 'Write,Bash');
    expect(added(0)).toContain('Plan mode is on');
    expect(added(0)).toContain('call ExitPlanMode');
    expect(planPath()).toContain('/.sidenote/plans/');
    expect(added(1)).toContain('nothing but the plan file is written');
    expect(added(1)).toContain('only commands that read');
    expect(added(1)).toContain('content-elm');
    expect(existsSync(join(cwd, 'new.txt'))).toBe(false);
  });

  it('lets Write and Edit change the plan file alone', async () => {
    const replies = [
      () => [use('Write', { file_path: planPath(), content: 'PLAN-ELM\n' }), use('Write', { file_path: `${planPath()}x`, content: 'x' })],
      () => [use('Edit', { file_path: planPath(), old_string: 'ELM', new_string: 'OAK' })],
    ];
    const server = await loopbackModel([], () => replies.shift()?.() ?? fine);
    const made = await testProject({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' });
    [model, project] = [server, made];
    await made.run('-p', 'go', '--permission-mode', 'plan');
    expect(await readFile(planPath(), 'utf8')).toBe('PLAN-OAK\n');
    expect(existsSync(`${planPath()}x`)).toBe(false);
  });

  it('writes the plan, without a person keeps it and stays on; later runs are told what came of it', async () => {
    const said = await set([[use('EnterPlanMode', {})], fine, [use('ExitPlanMode', { plan: '# Plan\nPLAN-ELM\n' })], fine, fine, fine]);
    await said.run('-p', 'one');
    expect(added(1)).toContain('nobody is there to approve a plan');
    await said.run('-p', 'two', '--continue', '--permission-mode', 'plan');
    expect(added(2)).toContain('Plan mode is on');
    expect(added(3)).toContain('plan mode stays on');
    const folder = join(said.home, '.sidenote/plans');
    const [name = ''] = await readdir(folder);
    expect(await readFile(join(folder, name), 'utf8')).toContain('PLAN-ELM');
    await said.run('-p', 'three', '--continue', '--permission-mode', 'default');
    expect(added(4)).toContain('Plan mode is over');
    expect(added(4)).toContain('was not approved');
    await said.run('-p', 'four', '--continue', '--permission-mode', 'plan');
    expect(added(5)).toContain('Plan mode is on');
    expect(added(5)).toContain('Plan mode was entered again');
  });

  it('stays on in a resume and a fork without a flag; the fork has a plan of its own, with the same text', async () => {
    const { run, home, cwd } = await set([
      [use('ExitPlanMode', { plan: 'PLAN-ELM' })],
      fine,
      [use('Write', { file_path: 'new.txt', content: 'x' })],
      fine,
      fine,
    ]);
    await run('-p', 'one', '--permission-mode', 'plan');
    await run('-p', 'two', '--continue');
    expect(added(2)).not.toContain('lan mode');
    expect(added(3)).toContain('nothing but the plan file is written');
    expect(existsSync(join(cwd, 'new.txt'))).toBe(false);
    await run('-p', 'three', '--continue', '--fork-session');
    const folder = join(home, '.sidenote/plans');
    const plans = await readdir(folder);
    expect(plans).toHaveLength(2);
    for (const name of plans) expect(await readFile(join(folder, name), 'utf8')).toBe('PLAN-ELM');
    const other = plans.find((name) => !planPath().endsWith(name)) ?? '';
    expect(added(4)).toContain(other);
  });

  it('holds for a sub-agent, which is told its own rules and has no tool to leave it', async () => {
    const { run, cwd, bodies } = await set([
      [use('Agent', { description: 'a task', prompt: 'SUB write', subagent_type: 'general-purpose' })],
      [use('Write', { file_path: 'new.txt', content: 'x' })],
      [say('sub answer')],
      fine,
    ]);
    await run('-p', 'go', '--permission-mode', 'plan', '--allowedTools', 'Write');
    const own = JSON.stringify(bodies[1]);
    expect(own).toContain('Plan mode is on');
    expect(own).not.toContain('ExitPlanMode');
    expect(JSON.stringify(bodies[2])).toContain('nothing but the plan file is written');
    expect(existsSync(join(cwd, 'new.txt'))).toBe(false);
  });

  it('lies where the documentation’s settings say, once the project is trusted', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../../docs/modes.md'), 'utf8');
    const settings = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const { run, cwd, bodies } = await set([[use('ExitPlanMode', { plan: 'PLAN-ELM' })], fine, fine, fine], {
      '.sidenote/settings.json': settings,
    });
    await run('-p', 'go', '--trust');
    expect(added(0)).toContain('Plan mode is on');
    const [name = ''] = await readdir(join(cwd, 'docs/plans'));
    expect(await readFile(join(cwd, 'docs/plans', name), 'utf8')).toBe('PLAN-ELM');
    await writeFile(join(cwd, '.sidenote/settings.json'), '{ "plansDirectory": ".claude/commands" }');
    const { err } = await run('-p', 'go', '--trust', '--permission-mode', 'plan');
    expect(err).toContain('"plansDirectory" can\'t be .claude/commands: its files may configure programs');
    expect(JSON.stringify(bodies[2])).toContain('/.sidenote/plans/');
  });

  it('is entered by /plan, with words as the prompt', async () => {
    const { run } = await set([fine]);
    await run('-p', '/plan SPLIT-ASH');
    expect(added(0)).toContain('Plan mode is on');
    expect(added(0)).toContain('SPLIT-ASH');
  });
});

describe('approval', () => {
  it('changes mode, notice and enforcement at once; the plan is checked in the end, and known after a compaction', async () => {
    const asked: PlanQuestion[] = [];
    const at = await set([
      [use('ExitPlanMode', { plan: 'PLAN-ELM' })],
      [use('Write', { file_path: 'new.txt', content: 'x' })],
      fine,
      [say('<summary>SHORT</summary>')],
      fine,
    ]);
    const { opened, turn } = await withPerson(
      at,
      async (question) => {
        asked.push(question);
        await writeFile(question.file, 'PLAN-OAK');
        return { type: 'approved', mode: question.freely };
      },
      '--permission-mode',
      'plan',
    );
    await turn('one');
    expect(asked).toMatchObject([{ plan: 'PLAN-ELM', freely: 'acceptEdits' }]);
    expect(added(1)).toContain('The person approved the plan.');
    expect(added(1)).toContain('PLAN-OAK');
    expect(added(1)).toContain('the mode is acceptEdits now');
    expect(opened.agent.permissions.mode).toBe('acceptEdits');
    expect(await readFile(join(at.cwd, 'new.txt'), 'utf8')).toBe('x');
    for await (const event of opened.agent.compact()) void event;
    await turn('two');
    const last = JSON.stringify(at.bodies.at(-1));
    expect(last).toContain(`before the conversation was summarised is in ${asked[0]?.file}`);
    expect(last).toContain('looks finished');
  });

  it('a no with words leaves everything as it was; the next entry after a yes goes back to what held before', async () => {
    const at = await set([[use('ExitPlanMode', { plan: 'PLAN-ELM' })], fine, [use('EnterPlanMode', {})], [use('ExitPlanMode', {})], fine]);
    const answers = ['no', 'yes'];
    const { opened, turn } = await withPerson(
      at,
      async ({ freely }) => (answers.shift() === 'no' ? { type: 'rejected', words: 'KEEP-ROWAN' } : { type: 'approved', mode: freely }),
      '--permission-mode',
      'plan',
    );
    await turn('one');
    expect(added(1)).toContain('said: KEEP-ROWAN Plan mode stays on.');
    expect(added(1)).not.toContain('Plan mode is over');
    expect(opened.agent.permissions.mode).toBe('plan');
    await opened.setMode('auto');
    await turn('two');
    expect(added(2)).toContain('Auto mode is on');
    expect(added(3)).toContain('Plan mode is on');
    expect(added(3)).toContain('Auto mode is over');
    expect(added(4)).toContain('the mode is auto now');
    expect(opened.agent.permissions.mode).toBe('auto');
  });

  it('does not bring bypassPermissions of an earlier process back: it has to be asked for each time', async () => {
    const at = await set([fine, [use('ExitPlanMode', { plan: 'PLAN-ELM' })], fine, [use('ExitPlanMode', {})], fine]);
    await at.run('-p', 'go', '--dangerously-skip-permissions');
    const asked: PlanQuestion[] = [];
    const { opened, turn } = await withPerson(
      at,
      async (question) => (asked.push(question), { type: 'approved', mode: question.freely }),
      '--continue',
      '--permission-mode',
      'plan',
    );
    await turn('plan it');
    expect(asked).toMatchObject([{ freely: 'acceptEdits' }]);
    expect(opened.agent.permissions.mode).toBe('acceptEdits');
    // Of this very process it does.
    await opened.setMode('bypassPermissions');
    await opened.setMode('plan');
    await turn('once more');
    expect(asked[1]).toMatchObject({ freely: 'bypassPermissions' });
  });

  it('an interrupt while the person is asked leaves plan mode on', async () => {
    const at = await set([[use('ExitPlanMode', { plan: 'PLAN-ELM' })], fine]);
    const { opened, turn } = await withPerson(
      at,
      async (_question, signal) => {
        const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        void conversation?.agent.interrupt('the person interrupted');
        await aborted;
        return { type: 'approved', mode: 'acceptEdits' };
      },
      '--permission-mode',
      'plan',
    );
    await turn('one');
    expect(opened.agent.permissions.mode).toBe('plan');
    await turn('two');
    expect(added(1)).not.toContain('Plan mode is over');
  });
});

it('auto mode tells its rules once, runs what develops, refuses what destroys, and says when it is over', async () => {
  const { run, cwd } = await set(
    [
      [
        use('Write', { file_path: 'new.txt', content: 'x' }),
        use('Bash', { command: 'npm test' }),
        use('Bash', { command: 'git push --force' }),
        use('Bash', { command: 'npm install left-pad' }),
      ],
      fine,
      fine,
      fine,
    ],
    { 'package.json': '{ "scripts": { "test": "echo TESTS-RAN" } }' },
  );
  await run('-p', 'one', '--permission-mode', 'auto');
  expect(added(0)).toContain('Auto mode is on');
  expect(existsSync(join(cwd, 'new.txt'))).toBe(true);
  expect(added(1)).toContain('TESTS-RAN');
  expect(added(1)).toContain('of auto mode forbids it');
  expect(added(1)).toContain('nobody is there to ask');
  await run('-p', 'two', '--continue');
  expect(added(2)).not.toContain('uto mode');
  await run('-p', 'three', '--continue', '--permission-mode', 'default');
  expect(added(3)).toContain('Auto mode is over');
});

it('bypassPermissions is not taken from a record; a stored mode that is none is passed over', async () => {
  const { run, cwd } = await set([fine, [use('Write', { file_path: 'new.txt', content: 'x' })], fine]);
  await run('-p', 'one', '--dangerously-skip-permissions');
  const { err } = await run('-p', 'two', '--continue');
  expect(err).toContain('left in bypassPermissions');
  expect(existsSync(join(cwd, 'new.txt'))).toBe(false);
});
