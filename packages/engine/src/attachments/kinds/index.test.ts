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
      "team_context",
      "at_mentioned_files",
      "agent_mentions",
      "skill_discovery",
      "date_change",
      "skill_listing",
      "dynamic_skill",
      "agent_listing_delta",
      "changed_files",
      "nested_memory",
      "invoked_skills",
      "restored_files",
      "queued_commands",
      "task_notifications",
      "teammate_mailbox",
      "agent_pending_messages",
      "critical_system_reminder",
      "compaction_reminder",
      "quoted_tags",
    ]
  `);
});
