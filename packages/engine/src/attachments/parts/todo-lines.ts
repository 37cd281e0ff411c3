/** Items of todo and task lists: what effects hold of them, and how open ones are shown to a model. */
import type { Id, Json } from '../../content/content.js';
import { head } from '../../content/text.js';
import { member } from './kept.js';

export type TodoStatus = 'pending' | 'in_progress' | 'completed';

/** An item of a todo list. `activeForm` says what is being done while it is done. */
export type Todo = { readonly content: string; readonly status: TodoStatus; readonly activeForm: string };

/** A task of the list that agents share. */
export type ListedTask = {
  readonly id: Id;
  readonly subject: string;
  readonly status: TodoStatus;
  readonly owner?: string;
  /** Tasks that are to be completed before it, without those that are. */
  readonly blockedBy: readonly Id[];
};

const STATUSES: readonly TodoStatus[] = ['pending', 'in_progress', 'completed'];
/** Items that are shown; an item takes one line. */
const MOST = 40;
const LONGEST = 200;

/** The list that a `todos` effect of the todo tool holds; undefined for one of the task tools. */
export function todosOf(value: Json | undefined): readonly Todo[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: Json): readonly Todo[] => {
    const [content, active] = [member(item, 'content'), member(item, 'activeForm')];
    const status = STATUSES.find((one) => one === member(item, 'status'));
    if (typeof content !== 'string' || status === undefined) return [];
    return [{ content, status, activeForm: typeof active === 'string' ? active : content }];
  });
}

/** One line each, the first 40 of them; what is in hand is marked. */
export function openLines(lines: readonly { readonly text: string; readonly status: TodoStatus }[]): string {
  const shown = lines.slice(0, MOST).map(({ text, status }) => {
    const line = text.replaceAll(/\s+/g, ' ').trim();
    return `- ${line.length > LONGEST ? `${head(line, LONGEST)}…` : line}${status === 'in_progress' ? ' (in progress)' : ''}`;
  });
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}
