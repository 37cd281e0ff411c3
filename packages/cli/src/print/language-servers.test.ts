/** Language servers beside a session, as the model hears of them: the real one for TypeScript, and real requests. */
import { delimiter, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, type Block, type LoopbackModel, type Reply } from './loopback-model.testing.js';

const BIN = join(import.meta.dirname, '../../../../node_modules/.bin');
let model: LoopbackModel | undefined;
let project: TestProject | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

const sent = (index: number): string => JSON.stringify(model?.bodies.at(index)?.['messages']);
const use = (id: string, name: string, input: unknown): Block => ({ type: 'tool_use', id: `toolu_${id}`, name, input });
const INTRO = 'A language server reports problems in files that you have written';

/** Goes on until the last message holds it: a server takes as long as it takes. */
async function withServer(first: readonly Block[], expected: string): Promise<TestProject> {
  model = await loopbackModel([], (body): Reply => {
    const steps = (body['messages'] as readonly unknown[]).length;
    if (steps === 1) return first;
    if (JSON.stringify(body).includes(expected) || steps > 400) return [{ type: 'text', text: 'done' }];
    return [use(`wait${steps}`, 'Bash', { command: 'sleep 0.3' })];
  });
  const env = { ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: model.url, PATH: [BIN, process.env['PATH']].join(delimiter) };
  const made = (project = await testProject(env));
  await made.put({ 'tsconfig.json': '{"compilerOptions": {"strict": true, "types": []}, "include": ["*.ts"]}' });
  return made;
}

it('tells what is wrong in a file that was written, once, and not what was right in it', async () => {
  const { run, cwd } = await withServer([use('1', 'Write', { file_path: 'a.ts', content: "export const a: number = 'elm';\n" })], INTRO);
  await run('-p', 'go', '--trust', '--allowedTools', 'Write', 'Bash(sleep *)');
  expect(sent(-1)).toContain(
    `${INTRO}, which you were not told of before:\\n\\n${join(cwd, 'a.ts')}\\n- line 1, error: Type 'string' is not assignable to type 'number'. (ts 2322)`,
  );
  expect(sent(-1).split(INTRO)).toHaveLength(2);
}, 120_000);

it('runs nothing in a directory that is not trusted, nor where it is switched off', async () => {
  const write = [use('1', 'Write', { file_path: 'a.ts', content: "export const a: number = 'elm';\n" })];
  const { run } = await withServer(write, 'toolu_1');
  for (const flags of [
    [],
    ['--trust', '--settings', '{"attachments": {"lsp_diagnostics": "off"}}'],
    ['--trust', '--settings', '{"lspServers": {"typescript": false}}'],
  ]) {
    await run('-p', 'go', '--allowedTools', 'Write', ...flags);
    expect((await run('-p', '/ide', '-c', ...flags)).out).not.toContain('language server');
  }
  expect(JSON.stringify(model?.bodies)).not.toContain(INTRO);
});
