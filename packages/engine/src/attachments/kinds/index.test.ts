import { expect, test } from 'vitest';
import { builtInKinds } from './index.js';

test('opening first, then the input group, then the thread group; every name once', () => {
  const rank = builtInKinds.map(({ position, group }) => (position === 'opening' ? 0 : group === 'input' ? 1 : 2));
  expect(rank).toEqual([...rank].sort());
  expect(new Set(builtInKinds.map(({ kind }) => kind)).size).toBe(builtInKinds.length);
  expect(builtInKinds.map(({ kind }) => kind)).toMatchInlineSnapshot(`
    [
      "project_instructions",
      "git_snapshot",
      "at_mentioned_files",
      "mcp_resources",
      "hook_additional_context",
      "hook_success",
      "hook_blocking_error",
      "hook_stopped",
      "async_hook_response",
      "date_change",
      "deferred_tools_delta",
      "mcp_instructions_delta",
      "changed_files",
      "nested_memory",
      "queued_commands",
      "task_notifications",
      "quoted_tags",
    ]
  `);
});
