/** What stands in every window of a session: what a compaction can't shrink, and what survives it. */
import type { AnyAttachmentKind } from '../attachments/contract.js';
import { recentFilesFold } from '../attachments/kinds/restored-files.js';
import { todosFold } from '../attachments/kinds/todo-reminders.js';
import { names } from '../attachments/parts/names.js';
import { invocationsIn } from '../attachments/parts/skill-effects.js';
import { effectsIn, viewsFold } from '../attachments/parts/views.js';
import type { Ports } from '../attachments/ports.js';
import { prefixFold } from '../request/sent.js';
import type { Transcript } from '../transcript/fold.js';
import { headTokens, tokensOf } from './fullness.js';

/** One thing, with how it comes into the next window. */
export type Standing = {
  readonly type: 'head' | 'attachment' | 'files' | 'skill' | 'todos' | 'plan';
  /** For a person: `project instructions: 2 files`. */
  readonly name: string;
  /** Estimate; 0 when it is not known before it comes. */
  readonly tokens: number;
  /** `stays`: it is never part of what is compacted. `again`: told with the next message. `when-touched`: once its place is touched again. */
  readonly comes: 'stays' | 'again' | 'when-touched';
};

type Source = {
  readonly transcript: Transcript;
  readonly kinds: readonly AnyAttachmentKind[];
  readonly tokens: Ports['tokens'];
};

/** System and tools, then attachments that are told again, then files, skills, todos and plans. */
export function standingOf({ transcript, kinds, tokens }: Source): readonly Standing[] {
  const prefix = transcript.read(prefixFold).value;
  const head: Standing[] =
    prefix === null ? [] : [{ type: 'head', name: 'system prompt and tools', tokens: headTokens(prefix, tokens), comes: 'stays' }];
  const again = new Map(kinds.flatMap((kind) => (kind.again === undefined ? [] : [[kind.kind, kind.again] as const])));
  const attachments = transcript.window.flatMap((record): readonly Standing[] => {
    const comes = record.type === 'attachment' && record.content.length > 0 ? again.get(record.kind) : undefined;
    if (record.type !== 'attachment' || comes === undefined) return [];
    return [{ type: 'attachment', name: record.title, tokens: tokensOf(record, tokens), comes }];
  });
  return [...head, ...attachments, ...filesOf(transcript, kinds), ...effectsOf(transcript)];
}

function filesOf(transcript: Transcript, kinds: readonly AnyAttachmentKind[]): readonly Standing[] {
  if (!kinds.some(({ kind }) => kind === 'restored_files')) return [];
  const views = transcript.read(viewsFold);
  const paths = [...transcript.read(recentFilesFold).seen.keys()].filter((path) => views.has(path)).reverse();
  return paths.length === 0 ? [] : [{ type: 'files', name: `recent files: ${names(paths)}`, tokens: 0, comes: 'again' }];
}

function effectsOf(transcript: Transcript): readonly Standing[] {
  const { window } = transcript;
  const skills = window
    .flatMap(invocationsIn)
    .map(({ name }): Standing => ({ type: 'skill', name: `skill ${name}`, tokens: 0, comes: 'again' }));
  const effects = window.flatMap(effectsIn);
  const todos = transcript.read(todosFold).value ?? [];
  const lists: readonly (Standing & { readonly has: boolean })[] = [
    { type: 'todos', name: 'todo list', tokens: 0, comes: 'again', has: todos.some(({ status }) => status !== 'completed') },
    { type: 'plan', name: 'plan', tokens: 0, comes: 'again', has: effects.some(({ type }) => type === 'plan') },
  ];
  const open = lists.flatMap(({ has, ...one }) => (has ? [one] : []));
  return [...new Map(skills.map((one) => [one.name, one])).values(), ...open];
}
