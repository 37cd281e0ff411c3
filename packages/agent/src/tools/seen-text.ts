/** Whether a file may be changed by a model: only in the state that the model has seen. */
import type { FileView } from '@sidenote/engine';
import { digestOf, type FileReading } from '@sidenote/node';

type TextReading = Extract<FileReading, { readonly type: 'text' }>;

/** What stands against a change, for the model; undefined when nothing does. `all`: the whole file must have been seen. */
export function objection(
  reading: TextReading,
  known: FileView | undefined,
  need: { readonly shown: string; readonly lines: 'all' | 'some' },
): string | undefined {
  const { shown } = need;
  if (known === undefined || known.form !== 'raw') return `You have not read ${shown}. Read it first.`;
  // Content decides: a touch, or a save of the same text, is no change.
  if (known.digest !== digestOf(reading.text)) return `${shown} has changed since you saw it, by someone else or a command. Read it again.`;
  if (known.lines === 'all') return undefined;
  if (known.lines.length === 0) return `${shown} has changed since you read it, and you have not seen how. Read it again.`;
  return need.lines === 'all' ? `You have seen only a part of ${shown}. Read all of it before you write it anew, or use Edit.` : undefined;
}
