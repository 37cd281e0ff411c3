import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { taskList } from './task-list.js';

let folder = '';
const problems: string[] = [];
const open = () => taskList({ folder, problem: (line) => problems.push(line) });
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'sidenote-task-list-')), 'tasks');
  problems.length = 0;
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

it('keeps tasks for whoever opens the folder next, and gives no number twice', async () => {
  const list = open();
  await list.create({ subject: 'one', description: 'first' });
  const two = await list.create({ subject: 'two', description: '', activeForm: 'doing two' });
  expect(await list.update(two.id, { status: 'deleted' })).toMatchObject({ type: 'updated' });
  const again = open();
  expect((await again.create({ subject: 'three', description: '' })).id).toBe('3');
  expect(await again.read()).toEqual([
    { id: '1', subject: 'one', description: 'first', status: 'pending', blockedBy: [] },
    { id: '3', subject: 'three', description: '', status: 'pending', blockedBy: [] },
  ]);
});

it('several lists on one folder never take the same number', async () => {
  const lists = [open(), open(), open()];
  const made = await Promise.all(Array.from({ length: 30 }, (_, at) => lists[at % 3]?.create({ subject: `task ${at}`, description: '' })));
  expect(new Set(made.map((task) => task?.id)).size).toBe(30);
  expect((await open().read()).map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, at) => String(at + 1)));
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('joins what blocks what from both sides, and refuses circles and unknown tasks as a whole', async () => {
  const list = open();
  for (const subject of ['a', 'b', 'c']) await list.create({ subject, description: '' });
  await list.update('2', { blockedBy: ['1'], blocks: ['3'], owner: 'ada' });
  const before = await list.read();
  expect(before.map(({ blockedBy }) => blockedBy)).toEqual([[], ['1'], ['2']]);
  expect(await list.update('1', { blockedBy: ['3'] })).toEqual({ type: 'circle', ids: ['1', '3', '2', '1'] });
  expect(await list.update('1', { blockedBy: ['1'] })).toMatchObject({ type: 'circle' });
  expect(await list.update('1', { subject: 'x', blocks: ['9'] })).toEqual({ type: 'missing', id: '9' });
  expect(await list.update('../1', { subject: 'x' })).toEqual({ type: 'missing', id: '../1' });
  expect(await list.read()).toEqual(before);
});

it('passes over files that are no tasks, and says so once', async () => {
  const list = open();
  await list.create({ subject: 'one', description: '' });
  await writeFile(join(folder, '2.json'), '{ half');
  await writeFile(join(folder, '3.json'), JSON.stringify({ subject: 'other', status: 'pending', blockedBy: [7, '1'], owner: 5 }));
  await writeFile(join(folder, 'notes.txt'), 'not ours');
  const tasks = await list.read();
  await list.read();
  expect(tasks.map(({ id }) => id)).toEqual(['1', '3']);
  expect(tasks[1]).toEqual({ id: '3', subject: 'other', description: '', status: 'pending', blockedBy: ['1'] });
  expect(problems).toEqual([`${join(folder, '2.json')}: no task; it was passed over`]);
});

it('takes no more from a file than a task may have, and no number that ends the others', async () => {
  const list = open();
  await list.create({ subject: 'one', description: '' });
  const long = {
    subject: 's'.repeat(300_000),
    status: 'pending',
    owner: 'o'.repeat(300_000),
    blockedBy: ['x'.repeat(99), ...Array(9_000).fill('1')],
  };
  await writeFile(join(folder, '999999999.json'), JSON.stringify(long));
  const { id } = await list.create({ subject: 'two', description: '' });
  const tasks = await list.read();
  expect(tasks.map((task) => task.id)).toEqual(['1', id, '999999999']);
  expect(JSON.stringify(tasks[2]).length).toBeLessThan(25_000);
});

it('is empty where there is no folder', async () => {
  expect(await open().read()).toEqual([]);
});
