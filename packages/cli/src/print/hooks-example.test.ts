import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testProject } from '../commands/run.testing.js';
import { loopbackModel, type Reply } from './loopback-model.testing.js';

const EXAMPLE = join(import.meta.dirname, '../../../../examples/hooks');
const use = (id: string, name: string, input: unknown): Reply => [{ type: 'tool_use', id, name, input }];

it('the example of the page on hooks does what the page says', async () => {
  const model = await loopbackModel([
    use('toolu_1', 'Bash', { command: 'git status && git push' }),
    use('toolu_2', 'Bash', { command: 'git status' }),
    use('toolu_3', 'Write', { file_path: 'a.json', content: '{"a": ' }),
    use('toolu_4', 'Write', { file_path: 'b.json', content: '{}' }),
    [{ type: 'text', text: 'Done.' }],
  ]);
  const project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test', IS_SANDBOX: '1' });
  try {
    await project.put({
      '.sidenote/settings.json': await readFile(join(EXAMPLE, 'settings.json'), 'utf8'),
      '.sidenote/check-json.mjs': await readFile(join(EXAMPLE, 'check-json.mjs'), 'utf8'),
    });
    const run = await project.run('-p', 'go', '--trust', '--permission-mode', 'bypassPermissions');
    expect(run.out).toBe('Done.\n');
    const body = model.bodies.at(-1) as {
      readonly messages: readonly { readonly content: readonly Readonly<Record<string, unknown>>[] }[];
    };
    const results = body.messages.flatMap(({ content }) =>
      content.filter(({ type }) => type === 'tool_result').map((one) => JSON.stringify(one)),
    );
    expect(JSON.stringify(body.messages[0])).toContain(`Node ${process.version} runs here.`);
    expect(results.map((result) => /A person pushes here|is no JSON/.exec(result)?.[0])).toEqual([
      'A person pushes here',
      undefined,
      'is no JSON',
      undefined,
    ]);
  } finally {
    await model.close();
    await project.remove();
  }
});

it('the skill of the page guards while it is in use', async () => {
  const model = await loopbackModel([
    use('toolu_1', 'Skill', { skill: 'sql-review' }),
    use('toolu_2', 'Bash', { command: 'psql -f up.sql' }),
    [{ type: 'text', text: 'Done.' }],
  ]);
  const project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test', IS_SANDBOX: '1' });
  try {
    await project.put({ '.sidenote/skills/sql-review/SKILL.md': await readFile(join(EXAMPLE, 'sql-review/SKILL.md'), 'utf8') });
    await project.run('-p', 'go', '--trust', '--permission-mode', 'bypassPermissions');
    expect(JSON.stringify(model.bodies.at(-1))).toContain('A person runs migrations.');
  } finally {
    await model.close();
    await project.remove();
  }
});
