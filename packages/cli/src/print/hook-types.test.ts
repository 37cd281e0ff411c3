import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { serverEntry } from '../../../node/src/mcp/server.testing.js';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, say, use, type LoopbackModel, type Reply } from './loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

const EXAMPLE = join(import.meta.dirname, '../../../../examples/hooks');
const bash = (command: string): Reply => [use('Bash', { command })];

async function run(
  replies: readonly Reply[],
  hooks: unknown,
  files: Readonly<Record<string, string>> = {},
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
) {
  model = await loopbackModel(replies);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test', NODE: process.execPath, ...env });
  await project.put({ '.sidenote/settings.json': JSON.stringify({ hooks, permissions: { allow: ['Bash(echo:*)', 'Write'] } }), ...files });
  const ran = await project.run('-p', 'go', '--trust', ...args);
  const { bodies } = model;
  return { ...ran, bodies, body: (n: number): string => JSON.stringify(bodies.at(n)) };
}

it('agent: looks at files before it judges, reads only, runs no hooks itself, and leaves nothing in the conversation', async () => {
  const files = { 'policy.txt': 'POLICY-MARK' };
  const judged = [{ hooks: [{ type: 'agent', prompt: 'RULE-MARK: $ARGUMENTS' }] }];
  const looking: Reply = [use('Read', { file_path: 'policy.txt' }), use('Write', { file_path: 'x', content: 'y' })];
  const { out, bodies, body } = await run(
    [bash('echo a'), looking, [say('So: {"ok": false, "reason": "NO-MARK"}')], [say('End.')]],
    { PreToolUse: judged, PostToolUse: judged },
    files,
  );
  expect(out).toBe('End.\n');
  expect(bodies).toHaveLength(4);
  expect(bodies[1]).toMatchObject({ model: 'claude-haiku-5-5', tools: [{ name: 'Read' }, { name: 'Glob' }, { name: 'Grep' }] });
  expect(body(1)).toMatch(/RULE-MARK: [^]*echo a/);
  expect(body(2)).toContain('POLICY-MARK');
  expect(body(3)).toContain('NO-MARK');
  expect(body(3)).not.toContain('POLICY-MARK');
  const cost = await project?.run('-p', '/cost', '-c');
  expect(cost?.out).toMatch(/haiku-5-5[^\n]*2 (responses|requests|answers)/);
});

it('agent: takes no more than the session may', async () => {
  const judged = [{ hooks: [{ type: 'agent', prompt: 'RULE-MARK' }] }];
  const looking: Reply = { blocks: [{ type: 'tool_use', id: 'toolu_look', name: 'Glob', input: { pattern: '*' } }], inputTokens: 900_000 };
  const { err, bodies } = await run(
    [[say('End.')], looking, looking, looking, looking],
    { Stop: judged },
    {},
    { args: ['--max-budget-usd', '0.5'] },
  );
  expect(bodies).toHaveLength(3);
  expect(err).toContain('the hook Stop (RULE-MARK) failed: Stopped: the session has cost $0.9');
});

it('a hook that starts sessions with the same hooks comes to an end', async () => {
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'echo "$SIDENOTE_HOOK_DEPTH" > depth' }] }] };
  const inside = { env: { SIDENOTE_HOOK_DEPTH: '2' } };
  expect((await run([[say('End.')]], hooks, {}, inside)).status).toBe(0);
  expect(await readFile(join(project?.cwd ?? '', 'depth'), 'utf8')).toBe('3\n');
  await model?.close();
  await project?.remove();
  const deepest = await run([[say('End.')]], hooks, {}, { env: { SIDENOTE_HOOK_DEPTH: '3' } });
  expect(deepest).toMatchObject({ status: 2, bodies: [] });
  expect(deepest.err).toContain('hooks have started 3 sessions inside each other, and this one has hooks, too: it was not begun');
});

it('mcp_tool: the text of a tool decides as a command would, for every thread', async () => {
  const deny = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'SCAN-MARK' } };
  const results = {
    scan: { content: [{ type: 'text', text: JSON.stringify(deny) }] },
    broken: { content: [{ type: 'text', text: 'BROKEN-MARK' }], isError: true },
  };
  const calls = [
    { type: 'mcp_tool', server: 'guard', tool: 'broken' },
    { type: 'mcp_tool', server: 'nowhere', tool: 'scan' },
    { type: 'mcp_tool', server: 'guard', tool: 'scan', input: { command: '${tool_input.command}' } },
  ];
  const { body, err } = await run(
    [bash('echo a'), [say('End.')]],
    {
      PreToolUse: [{ matcher: 'Bash', hooks: calls }],
      UserPromptSubmit: [{ hooks: [{ type: 'mcp_tool', server: 'guard', tool: 'note', input: { words: 'said: ${prompt}' } }] }],
    },
    { '.mcp.json': JSON.stringify({ mcpServers: { guard: serverEntry({ tools: ['scan', 'broken', 'note'], results }) } }) },
  );
  expect(body(0)).toContain(JSON.stringify('RESULT note {"words":"said: go"}').slice(1, -1));
  expect(body(1)).toContain('SCAN-MARK');
  expect(err).toContain('(guard: broken) failed: BROKEN-MARK');
  expect(err).toContain('(nowhere: scan) failed: there is no MCP server nowhere');
});

it('onFailure: what guards a call and does not work refuses it; without it the call goes on', async () => {
  const guard = (more: object) => [{ hooks: [{ type: 'command', command: 'exit 3', ...more }] }];
  const refused = await run([bash('echo RAN'), [say('End.')]], { PreToolUse: guard({ onFailure: 'block' }) });
  expect(refused.body(1)).toContain('what should have looked at this failed with status 3');
  expect(refused.body(1)).not.toContain('"text":"RAN"');
  await model?.close();
  await project?.remove();
  const slow = await run([bash('echo RAN'), [say('End.')]], {
    PreToolUse: guard({ command: 'sleep 1000', timeout: 0.2, onFailure: 'block' }),
  });
  expect(slow.body(1)).toContain('what should have looked at this took longer than 0.2 s');
  await model?.close();
  await project?.remove();
  const open = await run([bash('echo RAN'), [say('End.')]], { PreToolUse: guard({ onFailure: 'maybe' }) });
  expect(open.body(1)).toContain('"text":"RAN"');
  expect(open.err).toContain('has an "onFailure" that is neither "block" nor "continue"');
});

it('the examples of the page ask a server and an agent', async () => {
  const { hooks } = JSON.parse(await readFile(join(EXAMPLE, 'looked-at.json'), 'utf8')) as { hooks: unknown };
  const finding = { content: [{ type: 'text', text: '{"decision": "block", "reason": "SECRET-MARK"}' }] };
  const { bodies, body } = await run(
    [[use('Write', { file_path: 'a.txt', content: 'x' })], [say('Done.')], [say('{"ok": false, "reason": "TEST-MARK"}')], [say('Done.')]],
    hooks,
    { '.mcp.json': JSON.stringify({ mcpServers: { scanner: serverEntry({ tools: ['scan_file'], results: { scan_file: finding } }) } }) },
  );
  expect(body(1)).toContain('SECRET-MARK');
  expect(bodies).toHaveLength(5);
  expect(body(3)).toContain('TEST-MARK');
});
