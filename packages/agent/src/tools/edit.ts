/** `Edit`: exact text replaced in a file that the model has seen. */
import { numberLines, readTextFile, realPathOf, splitLines, type Hunk } from '@sidenote/node';
import type { ToolOutcome } from '@sidenote/engine';
import { absolute, shownPath, type ToolEnvironment } from './environment.js';
import { withFileLock } from './file-lock.js';
import { flag, inputOf, optional, text } from './input.js';
import { refused, said } from './outcome.js';
import { maxReadBytes } from './read.js';
import { missing, unusable } from './refusal.js';
import { replaceText } from './replace-text.js';
import { saveText } from './save-text.js';
import { objection } from './seen-text.js';
import type { Tool, ToolContext } from './tool.js';

export type EditInput = {
  readonly file_path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean | undefined;
};

const maxSnippetLines = 12;

export function editTool(environment: ToolEnvironment): Tool<EditInput> {
  const input = inputOf('Edit', {
    file_path: text(),
    old_string: text('exact, and unique unless replace_all; empty to make a new file'),
    new_string: text(),
    replace_all: optional(flag()),
  });
  return {
    spec: {
      name: 'Edit',
      description: 'Replace text in a file you have read. Give old_string as it stands in the file, without line numbers.',
      input_schema: input.schema,
    },
    access: 'write',
    parse: input.parse,
    paths: ({ file_path }) => [absolute(environment, file_path)],
    title: ({ file_path }) => `Edit ${shownPath(environment, absolute(environment, file_path))}`,
    async run(value, context) {
      const path = absolute(environment, value.file_path);
      return withFileLock(await realPathOf(path), () => edit({ ...value, path, environment }, context));
    },
  };
}

type Asked = EditInput & { readonly path: string; readonly environment: ToolEnvironment };

async function edit(asked: Asked, context: ToolContext): Promise<ToolOutcome> {
  const { path, environment, old_string: old, new_string: replacement } = asked;
  const shown = shownPath(environment, path);
  const reading = await readTextFile(path, { maxBytes: maxReadBytes });
  if (reading.type === 'missing') {
    return old === ''
      ? save({ ...asked, text: replacement }, { context, before: undefined, count: 1 })
      : refused(await missing(environment, path, asked.file_path));
  }
  if (reading.type === 'image' || reading.type === 'pdf') return refused(`${shown} is a ${reading.mediaType}: it can't be edited as text.`);
  if (reading.type !== 'text') return refused(unusable(reading, shown));
  if (old === '' && reading.text === '') return save({ ...asked, text: replacement }, { context, before: reading, count: 1 });
  const against = objection(reading, context.views.get(reading.path), { shown, lines: 'some' });
  if (against !== undefined) return refused(against);
  if (old === '') return refused(`${shown} is not empty: give the text to replace as old_string.`);
  if (old === replacement) return refused('old_string and new_string are the same: nothing was changed.');
  const result = replaceText(reading.text, { old, replacement, all: asked.replace_all ?? false });
  switch (result.type) {
    case 'not-found':
      return refused(`old_string is not in ${shown}${result.hint === undefined ? '' : `: ${result.hint}`}. Nothing was changed.`);
    case 'ambiguous':
      return refused(
        `old_string is in ${shown} ${result.lines.length} times, at lines ${result.lines.slice(0, 20).join(', ')}. ` +
          'Give more of the text around the one you mean, or set replace_all. Nothing was changed.',
      );
    case 'replaced':
      return save({ ...asked, text: result.text }, { context, before: reading, count: result.count });
  }
}

type Saving = {
  readonly context: ToolContext;
  readonly before: Extract<Awaited<ReturnType<typeof readTextFile>>, { readonly type: 'text' }> | undefined;
  readonly count: number;
};

async function save(file: Asked & { readonly text: string }, { context, before, count }: Saving): Promise<ToolOutcome> {
  const { path, text: now } = file;
  const known = before === undefined || before.text === '' ? undefined : context.views.get(before.path);
  const saved = await saveText({ path, text: now, before, known }, { ...context, ...file.environment });
  const shown = shownPath(file.environment, path);
  if (saved.type === 'failed') return refused(`${shown} can't be written: ${saved.why}.`);
  const note = saved.note === undefined ? '' : `; ${saved.note}`;
  const more = { effects: saved.effects, display: saved.display };
  if (saved.created) return said(`Created ${shown}${note}.`, more);
  const places = count === 1 ? '' : ` in ${count} places`;
  return said([`Edited ${shown}${places}${note}.`, ...snippet(now, saved.hunks)].join('\n'), more);
}

/** The first place as it stands now, with the lines around it. */
function snippet(now: string, hunks: readonly Hunk[]): readonly string[] {
  const [hunk] = hunks;
  if (hunk === undefined || hunk.newLines === 0) return [];
  const lines = splitLines(now).slice(hunk.newStart - 1, hunk.newStart - 1 + Math.min(hunk.newLines, maxSnippetLines));
  const left = hunk.newLines - lines.length;
  return [numberLines(lines.join('\n'), hunk.newStart), ...(left > 0 ? [`[… ${left} more changed lines]`] : [])];
}
