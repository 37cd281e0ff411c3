/** Questions to the person as a process with a loopback model sees them: who answers, and what is said where nobody does. */
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, say, use, type LoopbackModel, type Reply } from '../print/loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

async function set(...replies: readonly Reply[]) {
  model = await loopbackModel(replies);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' });
  return { ...project, bodies: model.bodies };
}

const database = {
  question: 'Which database?',
  header: 'Storage',
  options: [{ label: 'Postgres', description: 'a server' }, { label: 'SQLite' }],
};
const checks = { question: 'Which checks?', options: [{ label: 'lint' }, { label: 'types' }], multiSelect: true };
const ask = (input: unknown): Reply => [use('AskUserQuestion', input)];
const end: Reply = [say('end')];

function result(body: unknown): { readonly is_error?: boolean; readonly content: readonly { readonly text: string }[] } {
  const { messages } = body as { messages: { content: { type: string; is_error?: boolean; content: { text: string }[] }[] }[] };
  const block = messages.flatMap(({ content }) => content).findLast(({ type }) => type === 'tool_result');
  if (block === undefined) throw new Error('no result');
  return block;
}

it('headless, tells the model to decide or to end with the question, and the caller what was asked', async () => {
  const { run, bodies } = await set(ask({ questions: [database, checks] }), end);
  const ran = await run('-p', 'go', '--output-format', 'json', '--dangerously-skip-permissions');
  expect(ran.status).toBe(0);
  expect(ran.err).toContain('AskUserQuestion: nobody is there to answer: Which database? (Postgres, SQLite) · Which checks? (lint, types)');
  expect(JSON.parse(ran.out)).toMatchObject({
    result: 'end',
    permission_denials: [{ tool_name: 'AskUserQuestion', tool_input: { questions: [database, checks] } }],
  });
  const { is_error: isError, content } = result(bodies[1]);
  expect(isError).toBe(true);
  expect(content[0]?.text).toMatch(/^Nobody is there to answer\. .*say in your answer what you assumed/);
});

it('takes what a hook answers, and no answer that the model gives itself', async () => {
  const answers = { 'Which database?': 'SQLite', 'Which checks?': ['lint', 'types'] };
  const { run, put, bodies } = await set(ask({ questions: [database], answers }), end, ask({ questions: [database, checks] }), end);
  const updatedInput = { questions: [database, checks], answers };
  const output = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput } };
  const first = await run('-p', 'go', '--trust');
  expect(first.err).toContain('nobody is there to answer: Which database?');
  expect(result(bodies[1]).content[0]?.text).not.toContain('SQLite');
  await put({
    'answer.json': JSON.stringify(output),
    '.claude/settings.json': JSON.stringify({
      hooks: { PreToolUse: [{ matcher: 'AskUserQuestion', hooks: [{ type: 'command', command: 'cat answer.json' }] }] },
    }),
  });
  const ran = await run('-c', '-p', 'again', '--trust');
  expect(ran).toMatchObject({ status: 0, err: '' });
  expect(result(bodies.at(-1)).content[0]?.text).toBe('The answers:\nStorage: SQLite\nWhich checks? lint, types');
});

it('says what does not fit, and is not offered to sub-agents', async () => {
  const { run, bodies } = await set(
    ask({ questions: [] }),
    ask({ questions: [{ ...database, options: Array.from({ length: 8 }, (_, at) => ({ label: `${at}` })) }] }),
    [use('Agent', { description: 'd', prompt: 'SUB', subagent_type: 'general-purpose' })],
    end,
    end,
  );
  await run('-p', 'go');
  expect(result(bodies[1]).content[0]?.text).toContain('questions has to hold 1 to 4 of them');
  expect(result(bodies[2]).content[0]?.text).toContain('at most 7 options: Which database?');
  const tools = (body: unknown) => (body as { tools: { name: string }[] }).tools.map(({ name }) => name);
  expect(tools(bodies[0])).toContain('AskUserQuestion');
  expect(tools(bodies[3])).not.toContain('AskUserQuestion');
});
