import { join } from 'node:path';
import type { ToolOutcome } from '@sidenote/engine';
import { taskList } from '@sidenote/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBench, type Bench } from '../tools/tools.testing.js';
import { listedTasks, taskTools } from './task-tools.js';
import { todoWriteTool } from './todo-write.js';

let bench: Bench;
beforeEach(() => {
  bench = openBench();
});
afterEach(() => bench.close());
const textOf = ({ content }: ToolOutcome): string => content.map((block) => (block.type === 'text' ? block.text : '')).join('');
const item = (content: string, status = 'pending') => ({ content, status, activeForm: `doing ${content}` });

describe('TodoWrite', () => {
  const tool = todoWriteTool();

  it('stores the whole list as an effect, and says how it stands', async () => {
    const outcome = await bench.use(tool, { todos: [item('a', 'completed'), { content: 'b', status: 'in_progress' }, item('c')] });
    expect(textOf(outcome)).toBe('Stored: 1 of 3 done, 1 in progress.');
    expect(outcome.effects).toEqual([
      { type: 'todos', value: [item('a', 'completed'), { content: 'b', status: 'in_progress', activeForm: 'b' }, item('c')] },
    ]);
    expect(tool.title({ todos: [] })).toBe('TodoWrite 0 of 0 done, 0 in progress');
  });

  it.each([
    ['no list', { todos: 'all' }, 'todos must be a list'],
    ['an unknown status', { todos: [item('a', 'open')] }, 'status (one of pending, in_progress, completed)'],
    ['an empty item', { todos: [item(' ')] }, 'empty content'],
  ])('refuses %s, and says what it takes', (_name, input, message) => {
    expect(tool.parse(input)).toMatchObject({ ok: false, message: expect.stringContaining(message) as string });
  });

  it('takes a list that comes as JSON in a string, and refuses one without measure', async () => {
    expect(textOf(await bench.use(tool, { todos: JSON.stringify([item('a')]) }))).toContain('0 of 1 done');
    const long = await bench.use(tool, { todos: [item('x'.repeat(50_000))] });
    expect([long.isError, long.effects]).toEqual([true, undefined]);
  });

  it('is few words', () => {
    expect(JSON.stringify(tool.spec).length).toBeLessThan(560);
  });
});

describe('task tools', () => {
  it('make, order, give and close tasks, and every write counts as one', async () => {
    const tasks = taskList({ folder: join(bench.cwd, 'tasks') });
    const tools = new Map(taskTools(tasks).map((tool) => [tool.spec.name, tool]));
    const use = async (name: string, input: unknown): Promise<ToolOutcome> => {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return bench.use(tool, input);
    };
    expect(textOf(await use('TaskList', {}))).toBe('There are no tasks.');
    await use('TaskCreate', { subject: 'Parse\nit', description: 'With care.' });
    const created = await use('TaskCreate', { subject: 'Test it', description: '' });
    expect(created.effects).toEqual([{ type: 'todos', value: { tasks: ['2'] } }]);
    await use('TaskUpdate', { taskId: '2', addBlockedBy: ['1'], owner: 'ada' });
    await use('TaskUpdate', { taskId: '1', status: 'in_progress' });
    expect(textOf(await use('TaskList', {}))).toBe('1: Parse it (in progress)\n2: Test it (pending, of ada, waits for 1)');
    expect(textOf(await use('TaskGet', { taskId: '1' }))).toBe('1: Parse it (in progress)\n\nWith care.');
    expect(textOf(await use('TaskUpdate', { taskId: '1', addBlockedBy: ['2'] }))).toContain('1 waits for 2 waits for 1');
    expect(textOf(await use('TaskUpdate', { taskId: '1', status: 'completed' }))).toBe('Task 1 is completed.');
    expect((await listedTasks(tasks)).find(({ id }) => id === '2')?.blockedBy).toEqual([]);
    const unknown = await use('TaskUpdate', { taskId: '7', status: 'completed' });
    expect([unknown.isError, textOf(unknown)]).toEqual([true, 'There is no task 7; there are 1, 2.']);
    expect((await use('TaskCreate', { subject: 'x'.repeat(50_000), description: '' })).isError).toBe(true);
    // A list has a line for each, whatever it is called; TaskGet has all of it.
    const long = await use('TaskCreate', { subject: `${'long '.repeat(2_000)}END`, description: '' });
    expect(textOf(long)).toBe('Task 3 was added.');
    expect(textOf(await use('TaskList', {})).length).toBeLessThan(500);
    expect(textOf(await use('TaskGet', { taskId: '3' }))).toContain('END');
  });
});
