import { describe, expect, test } from 'vitest';
import type { Json } from '../../content/content.js';
import type { Effect } from '../../transcript/records.js';
import { answer, call, FakeClock, LawChecker, MemoryStore, say, testPorts } from '../../testing/index.js';
import { openSession } from '../../session/open-session.js';
import type { Thread } from '../../session/session.js';
import type { ListedTask, Todo } from '../parts/todo-lines.js';
import type { ReminderUnit } from '../parts/upkeep.js';
import { source } from './kind.testing.js';
import { taskReminder } from './task-reminder.js';
import { todoReminders } from './todo-reminders.js';

const todo = (content: string, status: Todo['status'] = 'pending'): Todo => ({ content, status, activeForm: `doing ${content}` });
const tool = (name: string) => ({ name, description: name, input_schema: { type: 'object' as const } });

async function bench(options: { unit?: ReminderUnit; tools?: readonly string[]; taskList?: readonly ListedTask[] } = {}) {
  const clock = new FakeClock();
  const unit = options.unit === undefined ? {} : { kindOptions: { todo_reminders: { unit: options.unit } } };
  const session = await openSession({
    model: 'claude-opus-5-5',
    tools: (options.tools ?? ['TodoWrite', 'TaskUpdate']).map(tool),
    system: 'x',
    store: new MemoryStore(),
    ports: { ...testPorts(), clock, taskList: source(options.taskList ?? []) },
    kinds: [todoReminders, taskReminder],
    ...unit,
  });
  const laws = new LawChecker();
  const thread = session.main;
  let calls = 0;
  /** One call with an effect; what was injected with its result. */
  const work = async (effects: readonly Effect[] = [], name = 'Read'): Promise<string> => {
    const id = `call-${++calls}`;
    await thread.response(answer([call(name, {}, id)]));
    await thread.result(id, { content: [{ type: 'text', text: 'ok' }], effects });
    const step = laws.check(await thread.next(), thread);
    return step.injected.length === 0 ? '' : lastText(step.request.messages);
  };
  /** One turn of a person, an hour after the one before. */
  const turn = async (during: () => Promise<unknown> = async () => {}): Promise<string> => {
    clock.advance(3_600_000);
    const step = laws.check(await thread.prompt('go on'), thread);
    const text = step.injected.length === 0 ? '' : lastText(step.request.messages);
    await during();
    await thread.response(answer([say('fine')]));
    return text;
  };
  const write = (value: readonly Todo[]) => () => work([{ type: 'todos', value: [...value] as Json }], 'TodoWrite');
  return { thread, turn, work, write };
}

const lastText = (messages: readonly unknown[]): string => JSON.stringify(messages.at(-1));
/** Numbers of the turns that recalled something. */
const recalled = (texts: readonly string[]): readonly number[] => texts.flatMap((text, index) => (text === '' ? [] : [index + 1]));
const turns = async (count: number, turn: () => Promise<string>): Promise<readonly string[]> => {
  const texts: string[] = [];
  for (let number = 0; number < count; number++) texts.push(await turn());
  return texts;
};
const compact = (thread: Thread) => thread.compact([{ type: 'text', text: 'Summary.' }], null);

describe('todo_reminders over 60 turns', () => {
  test('come after ten turns without a write, and ten after each other', async () => {
    const { turn, write } = await bench();
    await turn(write([todo('mend <system-reminder>'), todo('test', 'in_progress'), todo('plan', 'completed')]));
    const texts = await turns(60, turn);
    expect(recalled(texts)).toEqual([11, 22, 33, 44, 55]);
    expect(texts[10]).toContain('not updated for a while. Open in it (1 done):');
    expect(texts[10]).toContain('- test (in progress)');
    expect(texts[10]).not.toContain('mend <system-reminder>');
  });

  test('begin anew with each write', async () => {
    const { turn, write } = await bench();
    await turn(write([todo('one')]));
    await turns(9, turn);
    await turn(write([todo('two')]));
    expect(recalled(await turns(12, turn))).toEqual([11]);
  });

  test.each([
    ['unused', undefined],
    ['empty', []],
    ['finished', [todo('one', 'completed')]],
  ])('never come for a list that is %s', async (_name, list) => {
    const { turn, write } = await bench();
    await turn(list === undefined ? undefined : write(list));
    expect(recalled(await turns(60, turn))).toEqual([]);
  });

  test('are off in a thread without the tool', async () => {
    const { turn, write } = await bench({ tools: ['Read'] });
    await turn(write([todo('one')]));
    expect(recalled(await turns(25, turn))).toEqual([]);
  });

  test.each([
    ['turn', []],
    ['step', [10, 20, 30, 40, 50, 60]],
    ['either', [50]],
  ] as const)('inside one long turn, by the unit %s', async (unit, expected) => {
    const { turn, work, write } = await bench({ unit });
    let texts: readonly string[] = [];
    await turn(async () => {
      await write([todo('one')])();
      texts = await turns(60, () => work());
    });
    expect(recalled(texts)).toEqual(expected);
  });

  test('what is open stands again in a window that begins without it, once', async () => {
    const { thread, turn, write } = await bench();
    await turn(write([todo('one'), todo('two', 'completed')]));
    await turn();
    expect(thread.standing.map(({ name }) => name)).toContain('todo list');
    await compact(thread);
    const [next, ...others] = await turns(12, turn);
    expect(next).toContain('still has 1 item open (1 done)');
    expect(recalled(others)).toEqual([11]);
  });

  test('a kept tail that holds the write needs no second telling', async () => {
    const { thread, turn, write } = await bench();
    await turn();
    await turn(write([todo('one')]));
    const from = thread.transcript.window.findLast((record) => record.type === 'user')?.id ?? null;
    await thread.compact([{ type: 'text', text: 'Summary.' }], from);
    expect(recalled(await turns(5, turn))).toEqual([]);
  });
});

describe('task_reminder', () => {
  const task = (id: string, about: Partial<ListedTask> = {}): ListedTask => ({
    id,
    subject: `task ${id}`,
    status: 'pending',
    blockedBy: [],
    ...about,
  });
  const changed =
    ({ work }: Awaited<ReturnType<typeof bench>>) =>
    () =>
      work([{ type: 'todos', value: { tasks: ['1'] } }], 'TaskUpdate');

  test('shows what is open in the list of now, with owners and what each waits for', async () => {
    const made = await bench({
      taskList: [task('1', { owner: 'ada' }), task('2', { blockedBy: ['1'] }), task('3', { status: 'completed' })],
    });
    await made.turn(changed(made));
    const texts = await turns(60, made.turn);
    expect(recalled(texts)).toEqual([11, 22, 33, 44, 55]);
    expect(texts[10]).toContain('- 1: task 1 (of ada)\\n- 2: task 2 (waits for 1)\\nIf this');
    await compact(made.thread);
    expect(await made.turn()).toContain('The task list still has 2 tasks open:');
  });

  test('never comes where nothing is open, or the tools were not used here', async () => {
    const done = await bench({ taskList: [task('1', { status: 'completed' })] });
    await done.turn(changed(done));
    const unused = await bench({ taskList: [task('1')] });
    expect(recalled([...(await turns(30, done.turn)), ...(await turns(30, unused.turn))])).toEqual([]);
  });
});
