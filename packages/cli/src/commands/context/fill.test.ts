import { afterEach, expect, it } from 'vitest';
import { loopbackModel, type LoopbackModel } from '../../print/loopback-model.testing.js';
import { testProject, type TestProject } from '../run.testing.js';
import { fillLine } from './fill.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

it('keeps what is used apart from what is left until a compaction', () => {
  const window = 200_000;
  expect(fillLine({ tokens: 100_000, by: 'reported' }, { window, compactsAt: 160_000 })).toBe(
    'in use now: 100,000 of 200,000 tokens (50 %); a compaction begins at 160,000 (80 %), 60,000 from here',
  );
  expect(fillLine({ tokens: 170_000, by: 'estimated' }, { window, compactsAt: 160_000 })).toMatch(
    /^in use now: ≈.* with the next request$/,
  );
  expect(fillLine({ tokens: 170_000, by: 'reported' }, { window, compactsAt: null })).toMatch(/\(85 %\); nothing is compacted unless/);
});

it('tells of the window as it is now: a compaction counts at once, whatever the last request held', async () => {
  const say = (text: string) => ({ type: 'text', text }) as const;
  const server = await loopbackModel([
    { blocks: [say('hello')], inputTokens: 140_000 },
    { blocks: [say('<summary>short</summary>')], inputTokens: 141_000 },
  ]);
  const made = await testProject({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' });
  [model, project] = [server, made];
  const context = async (): Promise<string> =>
    (await made.run('-p', '/context', '--continue', '--model', 'claude-sonnet-4-5')).out.split('\n')[0] ?? '';
  const fresh = await made.run('-p', '/context');
  expect(fresh).toMatchObject({ status: 0, out: expect.stringMatching(/^in use now: ≈0 of .*\nNothing was sent yet: /) });
  await made.run('-p', 'go', '--model', 'claude-sonnet-4-5');
  expect(await context()).toMatch(/^in use now: 140,1\d\d of 200,000 tokens \(70 %\); a compaction begins at /);
  await made.run('-p', '/compact', '--continue');
  expect(await context()).toMatch(/^in use now: ≈\d,\d{3} of 200,000 tokens \([1-3] %\)/);
});

it('says that nothing is compacted by itself where that is switched off, and when it is where it is not', async () => {
  const made = await testProject({ ANTHROPIC_API_KEY: 'test' });
  project = made;
  const fill = async (...more: readonly string[]): Promise<string> =>
    (await made.run('-p', '/context', '--model', 'claude-sonnet-4-5', ...more)).out.split('\n')[0] ?? '';
  expect(await fill('--settings', '{"compaction": {"auto": false, "percent": 50}}')).toMatch(
    /; nothing is compacted unless you ask \(\/compact\)$/,
  );
  expect(await fill('--settings', '{"compaction": {"percent": 50}}')).toMatch(/; a compaction begins at 100,000 \(50 %\), /);
});
