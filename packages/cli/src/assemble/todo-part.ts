/** Todos as a part of a session: the model's own list, or tasks that agents and sessions share. One family is offered, not both. */
import { join } from 'node:path';
import { listedTasks, taskTools, todoWriteTool } from '@sidenote/agent';
import { envFlag, envValue, taskList } from '@sidenote/node';
import type { Part, PartOptions } from './part.js';
import type { Setup } from './set-up.js';

export function todoPart({ setup, folder, tell }: Pick<PartOptions, 'setup' | 'folder' | 'tell'>): Part {
  const family = familyOf(setup);
  if (family === 'off') return {};
  if (family === 'list') return { tools: [todoWriteTool()] };
  const tasks = taskList({ folder: taskFolder(setup, folder), problem: tell });
  return {
    tools: taskTools(tasks),
    ports: { taskList: { read: async () => ({ type: 'ready', value: await listedTasks(tasks), version: '' }) } },
  };
}

/** `CLAUDE_CODE_ENABLE_TASKS` and its twin win over the setting `todos`. Default: the list. */
function familyOf({ io, loaded }: Pick<Setup, 'io' | 'loaded'>): 'list' | 'tasks' | 'off' {
  const { env } = io;
  if (envValue(env, 'CLAUDE_CODE_ENABLE_TASKS') !== undefined) return envFlag(env, 'CLAUDE_CODE_ENABLE_TASKS') ? 'tasks' : 'list';
  return loaded.settings.todos ?? 'list';
}

/** Beside the session's file; `CLAUDE_CODE_TASK_LIST_ID` names a list that sessions share. */
function taskFolder({ io, configDir }: Pick<Setup, 'io' | 'configDir'>, folder: string): string {
  const shared = envValue(io.env, 'CLAUDE_CODE_TASK_LIST_ID');
  // Any name is a folder's name then, and none leads out of it.
  return shared === undefined ? join(folder, 'tasks') : join(configDir, 'tasks', encodeURIComponent(shared).replaceAll('.', '%2E'));
}
