/** The hooks around a turn: before its prompt is sent, when instruction files were told, and when it would end. */
import type { AttachmentRecord, Fold, Json, PromptInput, Step, Thread } from '@sidenote/engine';
import type { TurnOptions } from './agent.js';
import type { AgentEvent, TurnResult } from './events.js';
import { areLive, startHooks, stoppedBy, takeHooks, tellBlocks, tellTexts } from './hooks.js';

export type Ended = Pick<TurnResult, 'reason' | 'text' | 'error'>;

/** Times in a row that hooks may keep a turn going. */
const MOST_KEPT = 8;
const GO_ON = 'The turn would have ended here, but a hook asks for more. What it says stands above; go on.';

/** Fold: how often hooks have kept the thread going since a person, a peer or a task spoke. */
const keptGoing: Fold<{ times: number }> = {
  name: 'kept-going',
  scope: 'chain',
  on: ['user'],
  initial: () => ({ times: 0 }),
  step: (state, record) => (record.type === 'user' ? { times: record.origin === 'hook' ? state.times + 1 : 0 } : state),
};

const isMain = ({ session, thread }: TurnOptions): boolean => thread === session.main;

/** Of the session's start, and of words that someone typed. Undefined: the prompt is sent. */
export async function* beforePrompt(
  input: PromptInput | string,
  { hooks, thread, starting, ...options }: TurnOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Ended | undefined, void> {
  if (hooks === undefined) return undefined;
  if (starting !== undefined) {
    const started = yield* takeHooks(starting, signal);
    tellTexts(thread, started);
    if (started.stop !== undefined) return { reason: 'stopped', text: stoppedBy(started.stop) };
  }
  const isTyped = typeof input === 'string' || (input.origin ?? 'human') === 'human';
  if (!isTyped || !isMain({ ...options, thread })) return undefined;
  const outcome = yield* takeHooks(startHooks(hooks, { event: 'UserPromptSubmit', fields: { prompt: wordsOf(input) } }), signal);
  const [block] = outcome.blocks;
  if (block !== undefined) return { reason: 'stopped', text: `The prompt was not sent: the hook ${block.hook} objects: ${block.text}` };
  if (outcome.stop !== undefined) return { reason: 'stopped', text: stoppedBy(outcome.stop) };
  tellTexts(thread, outcome);
  return undefined;
}

function wordsOf(input: PromptInput | string): string {
  if (typeof input === 'string') return input;
  return input.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}

/** When the model has nothing more to do. The step that follows, when a hook asks for one. */
export async function* beforeEnd(
  answer: string,
  { hooks, thread, ...options }: TurnOptions,
  { signal, mayGoOn }: { readonly signal: AbortSignal; readonly mayGoOn: boolean },
): AsyncGenerator<AgentEvent, Step | undefined, void> {
  if (!areLive(hooks)) return undefined;
  const { times } = thread.transcript.read(keptGoing);
  const event = isMain({ ...options, thread }) ? 'Stop' : 'SubagentStop';
  const fields = { stop_hook_active: times > 0, last_assistant_message: answer };
  const outcome = yield* takeHooks(startHooks(hooks, { event, fields }), signal);
  if (signal.aborted) return undefined;
  if (outcome.stop !== undefined) {
    yield { type: 'notice', level: 'warning', text: stoppedBy(outcome.stop) };
    return undefined;
  }
  if (outcome.blocks.length === 0 && outcome.texts.length === 0) return undefined;
  if (times >= MOST_KEPT || !mayGoOn) {
    const why = mayGoOn ? `hooks have kept it going ${MOST_KEPT} times` : 'no more responses are allowed';
    yield { type: 'notice', level: 'warning', text: `a ${event} hook asks for more, but the turn ends here: ${why}` };
    return undefined;
  }
  tellBlocks(thread, outcome);
  tellTexts(thread, outcome);
  return thread.prompt({ content: [{ type: 'text', text: GO_ON }], origin: 'hook' }, { signal });
}

/** Instruction files that the newest message tells, one event each. Nobody waits. */
export function postInstructions({ hooks, thread }: TurnOptions): void {
  if (!areLive(hooks)) return;
  const begun = thread.transcript.window[0]?.type === 'compact_boundary' ? 'compact' : 'session_start';
  for (const record of newestAttachments(thread)) {
    const nested = record.kind === 'nested_memory';
    if (!nested && record.kind !== 'project_instructions') continue;
    for (const file of filesIn(record.data)) {
      const reason = reasonOf(file, nested ? 'nested_traversal' : begun);
      const { path, scope, from, glob } = file;
      hooks.post({
        event: 'InstructionsLoaded',
        subject: reason,
        fields: {
          file_path: path,
          memory_type: `${scope.slice(0, 1).toUpperCase()}${scope.slice(1)}`,
          load_reason: reason,
          ...(glob === undefined ? {} : { globs: [glob] }),
          ...(from === undefined ? {} : { parent_file_path: from }),
        },
      });
    }
  }
}

/** They stand at the end of the window. */
function newestAttachments({ transcript: { window } }: Thread): readonly AttachmentRecord[] {
  const first = window.findLastIndex(({ type }) => type !== 'attachment') + 1;
  return window.slice(first).flatMap((record) => (record.type === 'attachment' ? [record] : []));
}

type ToldFile = { readonly path: string; readonly scope: string; readonly from?: string; readonly glob?: string };

const reasonOf = ({ from, glob }: ToldFile, otherwise: string): string =>
  from !== undefined ? 'include' : glob !== undefined ? 'path_glob_match' : otherwise;

/** What the record keeps of its files; a record of another version keeps nothing that is known here. */
function filesIn(data: Json): readonly ToldFile[] {
  const files: unknown = typeof data === 'object' && data !== null && 'files' in data ? data.files : undefined;
  return Array.isArray(files) ? files.filter(isToldFile) : [];
}

function isToldFile(value: unknown): value is ToldFile {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'scope' in value &&
    typeof value.scope === 'string'
  );
}
