/** A task as its file holds it, read with suspicion: another process may have written it. */
import { head, type Id, type TodoStatus } from '@sidenote/engine';

export type StoredTask = {
  /** A number, as text. */
  readonly id: Id;
  readonly subject: string;
  readonly description: string;
  /** What is being done while it is done. */
  readonly activeForm?: string;
  /** A deleted one keeps its number. */
  readonly status: TodoStatus | 'deleted';
  readonly owner?: string;
  /** Tasks that come before it. */
  readonly blockedBy: readonly Id[];
};

/** Characters of what a file of others may bring along, and tasks that one may wait for. */
const LONGEST = { subject: 20_000, description: 20_000, words: 200, id: 10 } as const;
const MOST = 200;

const STATUSES: readonly StoredTask['status'][] = ['pending', 'in_progress', 'completed', 'deleted'];

/** Undefined: the text is no task. */
export function storedTask(id: Id, text: string): StoredTask | undefined {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [subject, description] = [fields.get('subject'), fields.get('description') ?? ''];
  const status = STATUSES.find((one) => one === fields.get('status'));
  if (typeof subject !== 'string' || typeof description !== 'string' || status === undefined) return undefined;
  const before = fields.get('blockedBy');
  const words = (name: 'activeForm' | 'owner') => {
    const given = fields.get(name);
    return typeof given === 'string' ? { [name]: head(given, LONGEST.words) } : {};
  };
  return {
    id,
    subject: head(subject, LONGEST.subject),
    description: head(description, LONGEST.description),
    status,
    ...words('activeForm'),
    ...words('owner'),
    blockedBy: Array.isArray(before) ? before.filter((one) => typeof one === 'string' && one.length <= LONGEST.id).slice(0, MOST) : [],
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
