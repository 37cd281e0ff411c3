import { expect, it } from 'vitest';
import { runMcpHook, type HookToolCall } from './run-mcp-hook.js';

const handler = (input: Record<string, string | number | string[]>, limitMs = 60_000) =>
  ({ type: 'mcp_tool', server: 's', tool: 't', input, limitMs, beside: 'no', once: false, failsClosed: false, key: 'k' }) as const;

it('fills texts of the input from the event, and keeps the type of what a placeholder stands for alone', async () => {
  let called: Parameters<HookToolCall>[0] | undefined;
  const callTool: HookToolCall = async (call) => ((called = call), { type: 'done', text: 'ok' });
  const event = { session_id: 'x', tool_input: { file_path: 'a $& b.ts', count: 3, list: ['p', { q: true }], __proto__x: 1 } };
  const input = {
    path: '${tool_input.file_path}',
    count: '${tool_input.count}',
    list: '${tool_input.list}',
    item: '${tool_input.list.1.q}',
    words: '${session_id}: ${tool_input.file_path}, ${tool_input.list}, ${tool_input.none}.',
    none: '${no.such.field}',
    inherited: '${tool_input.toString}',
    plain: '$path ${} $',
    number: 7,
    nested: ['${session_id}'],
  };
  const run = await runMcpHook({ handler: handler(input), input: JSON.stringify(event), callTool });
  expect(run).toMatchObject({ type: 'ended', exit: 0, stdout: 'ok' });
  expect(called).toEqual({
    server: 's',
    tool: 't',
    input: {
      path: 'a $& b.ts',
      count: 3,
      list: ['p', { q: true }],
      item: true,
      words: 'x: a $& b.ts, ["p",{"q":true}], .',
      none: '',
      inherited: '',
      plain: '$path ${} $',
      number: 7,
      nested: ['x'],
    },
  });
});

it('a tool that fails, throws, hangs or is not there is a failure, and never an end', async () => {
  const run = (callTool: HookToolCall | undefined, limitMs?: number) =>
    runMcpHook({ handler: handler({}, limitMs), input: '{}', callTool });
  expect(await run(async () => ({ type: 'failed', why: 'no' }))).toEqual({ type: 'failed', why: 'no' });
  expect(
    await run(async () => {
      throw new Error('broken');
    }),
  ).toEqual({ type: 'failed', why: 'broken' });
  expect(await run(undefined)).toMatchObject({ type: 'failed', why: expect.stringContaining('no MCP server s') });
  const keep = setInterval(() => {}, 1_000);
  expect(await run(() => new Promise(() => {}), 1)).toEqual({ type: 'timed-out' });
  clearInterval(keep);
});
