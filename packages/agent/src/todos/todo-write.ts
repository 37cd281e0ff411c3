/** `TodoWrite`: the model's own list of steps, written whole each time. The transcript holds it, as an effect of the newest call. */
import { countText } from '@sidenote/engine';
import type { Json, Todo } from '@sidenote/engine';
import { choice, group, inputOf, list, optional, text } from '../tools/input.js';
import { refused, said } from '../tools/outcome.js';
import type { Tool } from '../tools/tool.js';

export type TodoWriteInput = {
  readonly todos: readonly {
    readonly content: string;
    readonly status: Todo['status'];
    readonly activeForm: string | undefined;
  }[];
};

/** Items and characters of a list: it is told again after each compaction. */
const MOST = 100;
const LONGEST = 20_000;

export function todoWriteTool(): Tool<TodoWriteInput> {
  const input = inputOf('TodoWrite', {
    todos: list(
      group({
        content: text(),
        status: choice(['pending', 'in_progress', 'completed']),
        activeForm: optional(text('the same in progress: Running tests')),
      }),
    ),
  });
  return {
    spec: {
      name: 'TodoWrite',
      description:
        'Your list of steps, for work that has several; the person sees it. Write all of it each time, as soon as a step begins or is done.',
      input_schema: input.schema,
    },
    // It changes nothing but the conversation.
    access: 'read',
    parse: (value) => {
      const parsed = input.parse(value);
      if (!parsed.ok) return parsed;
      const { todos } = parsed.input;
      if (todos.some(({ content }) => content.trim() === '')) return { ok: false, message: 'an item of todos has an empty content' };
      return parsed;
    },
    title: ({ todos }) => `TodoWrite ${countsOf(todos)}`,
    async run({ todos }) {
      const items = todos.map(({ content, status, activeForm = content }): Todo => ({ content, status, activeForm }));
      if (items.length > MOST || JSON.stringify(items).length > LONGEST)
        return refused(`The list is too long: at most ${MOST} items and ${countText(LONGEST)} characters. Put steps together.`);
      return said(`Stored: ${countsOf(items)}.`, { effects: [{ type: 'todos', value: items satisfies Json }] });
    },
  };
}

function countsOf(todos: readonly Pick<Todo, 'status'>[]): string {
  const count = (wanted: Todo['status']): number => todos.filter(({ status }) => status === wanted).length;
  return `${count('completed')} of ${todos.length} done, ${count('in_progress')} in progress`;
}
