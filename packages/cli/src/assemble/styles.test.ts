import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, type LoopbackModel } from '../print/loopback-model.testing.js';
import { run as runCommand } from '../run.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

const style = (name: string, body: string, more = ''): string => `---\nname: ${name}\ndescription: for tests\n${more}---\n${body}\n`;

async function set(files: Readonly<Record<string, string>>) {
  const server = await loopbackModel([]);
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' };
  const made = await testProject(env);
  [model, project] = [server, made];
  await made.put(files);
  const system = (n: number): string => JSON.stringify(server.bodies.at(n)?.['system']).replaceAll(',"ttl":"1h"', '');
  const messages = (n: number): string => JSON.stringify(server.bodies.at(n)?.['messages']);
  /** Words and commands of one session, one after the other. */
  const say = async (lines: readonly string[], ...args: readonly string[]) => {
    const out: string[] = [];
    const content = (text: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`;
    await runCommand({
      args: ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', ...args],
      env: { PATH: process.env['PATH'], HOME: made.home, ...env },
      cwd: made.cwd,
      home: made.home,
      stdin: (async function* () {
        for (const line of lines) yield content(line);
      })(),
      stdout: { write: (text) => void out.push(text) },
      stderr: { write: (text) => void out.push(text) },
      signal: new AbortController().signal,
    });
    return out.join('');
  };
  return { ...made, bodies: server.bodies, system, messages, say };
}

it('reads no link that leaves a folder which nobody trusts', async () => {
  const { run, cwd, home, system, put } = await set({
    '../home/notes.md': 'PRIVATE-ELM',
    '.claude/output-styles/near.md': style('near', 'NEAR-MARK'),
    '.claude/settings.json': '{"outputStyle":"own"}',
  });
  await symlink(join(home, 'notes.md'), join(cwd, '.claude/output-styles/own.md'));
  const { err } = await run('-p', 'one');
  expect(err).toContain('outside the project, and this folder is not trusted; the style is not loaded');
  expect(system(0)).not.toContain('PRIVATE-ELM');
  await run('-p', 'one', '--trust');
  expect(system(1)).toContain('PRIVATE-ELM');
  await put({ '.claude/settings.json': '{"outputStyle":"near"}' });
  await run('-p', 'one');
  expect(system(2)).toContain('NEAR-MARK');
});

const CODING = 'Read before you change';

it('puts the style of the settings at the end of the prompt and names it once; the nearest file wins; coding prose goes unless it is kept', async () => {
  const { run, system, messages, put } = await set({
    '../home/.claude/output-styles/terse.md': style('terse', 'FAR-MARK'),
    '.claude/output-styles/terse.md': style('terse', 'NEAR-MARK <system-reminder>'),
    '.claude/settings.json': '{"outputStyle":"Terse"}',
  });
  const { err } = await run('-p', 'one');
  expect(err).toContain('the style terse is already defined in');
  expect(system(0)).toContain('NEAR-MARK <\\\\system-reminder>');
  expect(system(0)).not.toContain('FAR-MARK');
  expect(system(0)).not.toContain(CODING);
  expect(messages(0).split('The output style terse is in force')).toHaveLength(2);
  await run('-p', 'two', '-c');
  expect(messages(1).split('The output style terse')).toHaveLength(2);
  await put({ '.claude/output-styles/terse.md': style('terse', 'KEPT-MARK', 'keep-coding-instructions: true\n') });
  await run('-p', 'three');
  expect(system(2)).toContain(CODING);
  expect(system(2).indexOf('KEPT-MARK')).toBeGreaterThan(system(2).indexOf('Working directory'));
});

it('tells a style whole that is chosen in mid-session, keeps the prefix, and goes back to the default one', async () => {
  const { say, system, messages } = await set({ '.sidenote/output-styles/mine.md': style('mine', 'MINE-MARK') });
  const out = await say(['one', '/style mine', 'two', 'three', '/style default', 'four', '/style mein']);
  expect(out).toContain('there is no output style mein; did you mean mine?');
  expect(system(3)).toBe(system(0));
  expect(messages(0)).not.toContain('output style');
  expect(messages(2).split('MINE-MARK')).toHaveLength(2);
  expect(messages(3)).toContain('No output style is set any more');
  await say(['five'], '-c');
  expect(messages(4).split('No output style is set any more')).toHaveLength(2);
});

it('tells it again in the window that a compaction begins, and in a resumed session', async () => {
  const { say, messages } = await set({});
  await say(['one', '/style concise', 'two', '/compact', 'three']);
  expect(messages(-1).split('the output style Concise is in force')).toHaveLength(2);
  await say(['four'], '-c');
  expect(messages(-1).split('the output style Concise is in force')).toHaveLength(2);
});

it('says no word of a style where another prompt stands in place of the own one', async () => {
  const { run, bodies } = await set({
    '.claude/output-styles/terse.md': style('terse', 'TERSE-MARK'),
    '.claude/agents/own.md': '---\nname: own\ndescription: own\n---\nAGENT-MARK\n',
    '.claude/settings.json': '{"outputStyle":"terse"}',
  });
  const { err } = await run('-p', 'go', '--agent', 'own');
  expect(err).toContain('the agent own has a prompt of its own, so no output style counts');
  await run('-p', 'go', '--system-prompt', 'CUSTOM');
  expect(JSON.stringify(bodies)).not.toMatch(/TERSE-MARK|output style/);
});

it('goes on without a style that is not there or has nothing in it', async () => {
  const { run, system, put } = await set({ '.claude/settings.json': '{"outputStyle":"Explanatry"}' });
  const first = await run('-p', 'go');
  expect([first.status, first.err]).toEqual([0, expect.stringContaining('did you mean Explanatory?')]);
  expect(system(0)).toContain(CODING);
  await put({ '.claude/output-styles/explanatry.md': '---\ndescription: x\nkeep: 1\n---\n' });
  const second = await run('-p', 'go');
  expect(second.err).toContain('it has no text; the style is not loaded');
  expect(second.err).toContain('`keep` is no field of an output style');
});

it('takes the example of its page', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/output-styles.md'), 'utf8');
  const [, path = ''] = /here `([^`]+)`/.exec(page) ?? [];
  const [, file = ''] = /```markdown\n([^]*?)```/.exec(page) ?? [];
  const [, settings = ''] = /The setting `outputStyle` \(`([^`]+)`\)/.exec(page) ?? [];
  const { run, system } = await set({ [path]: file, '.claude/settings.json': settings });
  expect((await run('-p', 'go')).err).not.toContain('style');
  expect(system(0)).toContain('Begin with what would break.');
  expect(system(0)).toContain(CODING);
});
