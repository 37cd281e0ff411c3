import { expect, test } from 'vitest';
import type { BackgroundTask } from '../ports.js';
import { taskTold, type TaskChange } from '../parts/task-effects.js';
import { ask, result, source } from './kind.testing.js';
import { taskNotifications } from './task-notifications.js';
import { unifiedTasks } from './unified-tasks.js';

const task = (id: string, about: Partial<BackgroundTask> = {}): BackgroundTask => ({
  id,
  title: `command ${id}\n--all`,
  state: 'running',
  output: 'TaskOutput reads it.',
  ...about,
});
const told = (change: TaskChange) => result('call', 'Started.', [taskTold(change)]);
const ports = (tasks: readonly BackgroundTask[], notices: readonly TaskChange[] = []) => ({
  tasks: source(tasks),
  notices: source(notices.map((one, at) => ({ id: `n${at}`, text: `${one.id} ended`, trust: 'third-party' as const, task: one }))),
});

test('tells what the window does not know: running ones, and ends that nothing else tells; each once', async () => {
  const tasks = [
    task('a'),
    task('b'),
    task('c', { state: 'stopped' }),
    task('d', { state: 'failed', announced: true }),
    task('e', { state: 'done' }),
  ];
  const records = [told({ id: 'b', state: 'running' }), told({ id: 'c', state: 'running' }), told({ id: 'd', state: 'running' })];
  const first = await ask(unifiedTasks, { records, ports: ports(tasks) });
  expect(first.text).toMatchInlineSnapshot(`
    "In the background:
    - a (command a --all) is running. TaskOutput reads it.
    - c (command c --all) was stopped. TaskOutput reads it."
  `);
  expect(first.record?.title).toBe('background: a is running, c was stopped');
  expect((await ask(unifiedTasks, { records: [...records, ...first.records], ports: ports(tasks) })).type).toBe('nothing');
});

test('says of a task of an earlier process that it is gone, unless its end was told or waits to be', async () => {
  const records = ['a', 'b', 'c'].map((id) => told({ id, state: 'running' }));
  const delivered = await ask(taskNotifications, { ports: ports([], [{ id: 'b', state: 'done' }]) });
  const gone = await ask(unifiedTasks, { records: [...records, ...delivered.records], ports: ports([], [{ id: 'c', state: 'failed' }]) });
  expect(gone.text).toBe('In the background:\n- a ended with the process that ran it, or runs on unseen if that one was killed');
});

test('many are told in parts, as many as there is room for', async () => {
  const tasks = Array.from({ length: 30 }, (_, at) => task(`t${at}`, { title: 'x'.repeat(5_000) }));
  const first = await ask(unifiedTasks, { ports: ports(tasks), tokens: 300 });
  expect(first.cut).toBe('16 of 20 tasks');
  const second = await ask(unifiedTasks, { records: first.records, ports: ports(tasks) });
  expect(second.text).toContain('- t4 (');
  expect(second.record?.effects).toHaveLength(20);
});
