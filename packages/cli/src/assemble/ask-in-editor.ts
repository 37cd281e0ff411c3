/** A change of a file is asked about on the terminal and, as a diff, in the editor: whichever answers first counts. */
import { basename } from 'node:path';
import { replaceText, type Ask, type PermissionAnswer } from '@sidenote/agent';
import { readTextFile, resolveFrom, type DiffAnswer, type EditorLink } from '@sidenote/node';

type Options = { readonly editor: Pick<EditorLink, 'status' | 'openDiff'>; readonly cwd: string; readonly home: string };
type Change = { readonly tool: 'Edit' | 'Write'; readonly path: string; readonly before: string; readonly after: string };

/** An editor that is away, and a call that would change nothing, are left to the terminal alone. */
export function askInEditor(ask: Ask, options: Options): Ask {
  const { editor } = options;
  return async (request, signal) => {
    const { name, input, id } = request.call;
    const change = editor.status.state === 'connected' ? await changeOf(name, input, options) : undefined;
    if (change === undefined) return ask(request, signal);
    const over = new AbortController();
    const both = AbortSignal.any([signal, over.signal]);
    const terminal = ask(request, both);
    const title = `${basename(change.path)} (proposed ${id.slice(-6)})`;
    const inEditor = editor
      .openDiff({ path: change.path, text: change.after, title }, both)
      .then((answer) => (answer.type === 'open' ? terminal : answerOf(answer, change)));
    // The one that comes too late is closed, and says no more.
    for (const one of [terminal, inEditor]) one.catch(() => undefined);
    return Promise.race([terminal, inEditor]).finally(() => over.abort());
  };
}

function answerOf(answer: Exclude<DiffAnswer, { readonly type: 'open' }>, { tool, path, before, after }: Change): PermissionAnswer {
  if (answer.type === 'rejected') return { type: 'deny' };
  if (answer.text.replaceAll('\r\n', '\n') === after.replaceAll('\r\n', '\n')) return { type: 'once' };
  const input =
    tool === 'Write' ? { file_path: path, content: answer.text } : { file_path: path, old_string: before, new_string: answer.text };
  return { type: 'once', input };
}

/** Undefined for other calls, and for what could not be done. */
async function changeOf(name: string, input: unknown, { cwd, home }: Options): Promise<Change | undefined> {
  if (typeof input !== 'object' || input === null || !('file_path' in input) || typeof input.file_path !== 'string') return undefined;
  const path = resolveFrom(cwd, input.file_path, home);
  const reading = await readTextFile(path);
  if (reading.type !== 'text' && reading.type !== 'missing') return undefined;
  const before = reading.type === 'text' ? reading.text : '';
  if (name === 'Write' && 'content' in input && typeof input.content === 'string')
    return { tool: name, path, before, after: input.content };
  if (name !== 'Edit' || !('old_string' in input) || !('new_string' in input)) return undefined;
  const { old_string: old, new_string: replacement } = input;
  if (typeof old !== 'string' || typeof replacement !== 'string') return undefined;
  if (old === '') return before === '' ? { tool: name, path, before, after: replacement } : undefined;
  const all = 'replace_all' in input && input.replace_all === true;
  const replaced = replaceText(before, { old, replacement, all });
  return replaced.type === 'replaced' ? { tool: name, path, before, after: replaced.text } : undefined;
}
