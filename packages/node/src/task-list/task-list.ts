/** A list of tasks that agents and processes share: a file for each, which appears as a whole or not at all. */
import { randomUUID } from 'node:crypto';
import { link, readdir, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Id } from '@sidenote/engine';
import { readTextFile } from '../files/read.js';
import { makeFolder } from '../store/folders.js';
import { storedTask, type StoredTask } from './stored-task.js';

export type { StoredTask } from './stored-task.js';

export type NewTask = Pick<StoredTask, 'subject' | 'description'> & Partial<Pick<StoredTask, 'activeForm'>>;

/** What is not named stays. `blocks`, `blockedBy`: added to those there are. */
export type TaskChanges = Partial<Omit<StoredTask, 'id' | 'blockedBy'>> & {
  readonly blocks?: readonly Id[];
  readonly blockedBy?: readonly Id[];
};

export type TaskUpdated =
  | { readonly type: 'updated'; readonly task: StoredTask }
  | { readonly type: 'missing'; readonly id: Id }
  /** Tasks would wait for each other. */
  | { readonly type: 'circle'; readonly ids: readonly Id[] };

export interface TaskList {
  /** By number, those that were deleted left out. Files that are no task are passed over, and told once. */
  read(): Promise<readonly StoredTask[]>;
  /** Durable before it resolves. Rejects with what the disk says. */
  create(task: NewTask): Promise<StoredTask>;
  update(id: Id, changes: TaskChanges): Promise<TaskUpdated>;
}

export type TaskListOptions = {
  readonly folder: string;
  /** A file that is no task: one line for the person. */
  readonly problem?: (line: string) => void;
};

/** Bytes of one task. */
const LARGEST = 1024 * 1024;
const FILE = /^([1-9]\d{0,8})\.json$/;
/** The greatest number that is a task's. */
const LAST = 999_999_999;

export function taskList({ folder, problem }: TaskListOptions): TaskList {
  const told = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  /** Changes of this process follow each other; those of others may come between, file by file. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  const pathOf = (id: Id): string => join(folder, `${id}.json`);

  const draft = async (task: StoredTask): Promise<string> => {
    const path = `${pathOf(task.id)}.${randomUUID()}.tmp`;
    await writeFile(path, `${JSON.stringify(task, null, 2)}\n`, { mode: 0o600, flush: true });
    return path;
  };
  const replace = async (task: StoredTask): Promise<void> => rename(await draft(task), pathOf(task.id));

  const all = async (): Promise<readonly StoredTask[]> => {
    const names = await readdir(folder).catch(() => []);
    const ids = names.flatMap((name) => FILE.exec(name)?.[1] ?? []).toSorted((a, b) => Number(a) - Number(b));
    const tasks = await Promise.all(
      ids.map(async (id) => {
        const reading = await readTextFile(pathOf(id), { maxBytes: LARGEST });
        const task = reading.type === 'text' ? storedTask(id, reading.text) : undefined;
        if (task === undefined && !told.has(id)) {
          told.add(id);
          problem?.(`${pathOf(id)}: no task; it was passed over`);
        }
        return task;
      }),
    );
    return tasks.filter((task) => task !== undefined);
  };

  /** The number is taken by whoever links first. */
  const create = async (task: NewTask): Promise<StoredTask> => {
    await makeFolder(folder);
    const names = await readdir(folder);
    // A file of the greatest number doesn't take the others away.
    let number = names.map((name) => Number(FILE.exec(name)?.[1] ?? 0)).reduce((most, one) => (one < LAST ? Math.max(most, one) : most), 0);
    for (;;) {
      if (++number > LAST) throw new Error(`${folder} has no number left for a task`);
      const made: StoredTask = { id: String(number), status: 'pending', blockedBy: [], ...task };
      const path = await draft(made);
      try {
        await link(path, pathOf(made.id));
        return made;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      } finally {
        await unlink(path);
      }
    }
  };

  const update = async (id: Id, { blocks = [], blockedBy = [], ...changes }: TaskChanges): Promise<TaskUpdated> => {
    const tasks = new Map((await all()).filter(({ status }) => status !== 'deleted').map((task) => [task.id, task]));
    const missing = [id, ...blocks, ...blockedBy].find((one) => !tasks.has(one));
    const task = tasks.get(id);
    if (missing !== undefined || task === undefined) return { type: 'missing', id: missing ?? id };
    const changed = new Map<Id, StoredTask>([[id, { ...task, ...changes, blockedBy: joined(task.blockedBy, blockedBy) }]]);
    for (const other of blocks) {
      const before = changed.get(other) ?? tasks.get(other);
      if (before !== undefined) changed.set(other, { ...before, blockedBy: joined(before.blockedBy, [id]) });
    }
    const circle = circleIn(new Map([...tasks, ...changed]), id);
    if (circle !== undefined) return { type: 'circle', ids: circle };
    for (const one of changed.values()) await replace(one);
    return { type: 'updated', task: changed.get(id) ?? task };
  };

  return {
    read: async () => (await all()).filter(({ status }) => status !== 'deleted'),
    create: (task) => inTurn(() => create(task)),
    update: (id, changes) => inTurn(() => update(id, changes)),
  };
}

const joined = (ids: readonly Id[], more: readonly Id[]): readonly Id[] => [...new Set([...ids, ...more])];

/** Tasks on the way from one back to itself. */
function circleIn(tasks: ReadonlyMap<Id, StoredTask>, start: Id): readonly Id[] | undefined {
  const seen = new Set<Id>();
  const walk = (id: Id, way: readonly Id[]): readonly Id[] | undefined => {
    for (const next of tasks.get(id)?.blockedBy ?? []) {
      if (next === start) return [...way, start];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...way, next]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return walk(start, [start]);
}
