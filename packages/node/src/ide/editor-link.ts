/** The link to an editor: found by its lock file, connected beside the session, and again when it is lost. Nothing waits for it long. */
import type { FileProblems, Ports, Reading, Selection } from '@sidenote/engine';
import { isObject } from '../settings/shape.js';
import { openChannel, type Channel } from './channel.js';
import { findEditors, type Editor, type EditorPlace } from './lock-files.js';
import { answerOf, mentionOf, problemsOf, selectionOf, tabsOf, textsOf, type EditorMention } from './wire.js';

export type LinkOptions = EditorPlace & {
  /** Of this client. */
  readonly version: string;
  /** Why the model must not see what the editor has of a file, its text or what is wrong with it; undefined: it may. */
  readonly objection: (
    file: { readonly path: string; readonly about: 'text' | 'problems' },
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  /** The person sends a place of a file to the conversation. */
  readonly mentioned?: (mention: EditorMention) => void;
  /** Milliseconds before each further attempt; the last one counts for all that follow. Default: half a second to half a minute. */
  readonly pausesMs?: readonly number[];
};

export type LinkStatus = {
  /** `absent`: no editor was found yet. */
  readonly state: 'absent' | 'connecting' | 'connected' | 'lost';
  readonly editor: Editor | undefined;
  readonly selection: Selection | null;
  readonly openedFile: string | null;
};

/** What became of a proposed text in the editor. `open`: it was closed without an answer. */
export type DiffAnswer = { readonly type: 'accepted'; readonly text: string } | { readonly type: 'rejected' } | { readonly type: 'open' };

export interface EditorLink {
  readonly status: LinkStatus;
  readonly ports: Required<Pick<Ports, 'selection' | 'openedFile' | 'diagnostics'>>;
  /** Shows what a file is to become, and waits for the person. An abort closes it. */
  openDiff(diff: { readonly path: string; readonly text: string; readonly title: string }, signal: AbortSignal): Promise<DiffAnswer>;
  /** Tries at once, also another editor that is there now. */
  reconnect(): Promise<LinkStatus>;
  close(): void;
}

/** Milliseconds. What the person selected belongs to their words; what the editor sees of files must be of this very moment. */
const LIMIT = { connect: 3_000, selection: 800, tabs: 300, diagnostics: 120 } as const;
/** Places that a person sends in a second. */
const MOST_MENTIONS = 20;
/** Problems that are looked at. */
const MOST_PROBLEMS = 500;
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/** Starts connecting at once. */
export function createEditorLink(options: LinkOptions): EditorLink {
  const { pausesMs = PAUSES } = options;
  let state: LinkStatus['state'] = 'connecting';
  let editor: Editor | undefined;
  let channel: Channel | undefined;
  let selection: Selection | null = null;
  let openedFile: string | null = null;
  let isClosed = false;
  let attempts = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Counts attempts to connect: one that another has taken the place of ends without a word. */
  let round = 0;
  /** When places were sent, of the last second. */
  let mentions: readonly number[] = [];
  /** Counts what the editor has said of its selection: an answer that was asked for before is older. */
  let said = 0;

  const select = (now: Selection | null): void => {
    said++;
    selection = now?.text === '' ? null : now;
    openedFile = now?.path ?? null;
  };
  const told = (method: string, params: Readonly<Record<string, unknown>>): void => {
    if (method === 'selection_changed') select(selectionOf(params));
    const mention = method === 'at_mentioned' ? mentionOf(params) : undefined;
    if (mention === undefined) return;
    const now = performance.now();
    mentions = mentions.filter((at) => now - at < 1_000);
    if (mentions.length >= MOST_MENTIONS) return;
    mentions = [...mentions, now];
    options.mentioned?.(mention);
  };
  const call = async (name: string, input: object, how: { readonly ms?: number; readonly signal?: AbortSignal }): Promise<unknown> =>
    channel?.request('tools/call', { name, arguments: input }, how);
  const lost = (): void => {
    if (isClosed) return;
    channel = undefined;
    select(null);
    state = 'lost';
    clearTimeout(timer);
    const pause = pausesMs[Math.max(0, Math.min(attempts, pausesMs.length) - 1)] ?? 0;
    timer = setTimeout(() => void (work = connect()), pause);
    timer.unref();
  };
  const greet = async (opened: Channel, signal: AbortSignal): Promise<boolean> => {
    const clientInfo = { name: 'sidenote', version: options.version };
    const hello = await opened.request(
      'initialize',
      { protocolVersion: '2025-03-26', capabilities: {}, clientInfo },
      { ms: LIMIT.connect, signal },
    );
    if (hello === undefined) return false;
    opened.notify('notifications/initialized', {});
    opened.notify('ide_connected', { pid: process.pid });
    return true;
  };
  const connect = async (): Promise<void> => {
    const own = ++round;
    const isOver = (): boolean => isClosed || own !== round;
    attempts++;
    for (const found of await findEditors(options)) {
      if (isOver()) return;
      let opened: Channel | undefined;
      let isGone = false;
      const gone = (): void => {
        isGone = true;
        if (channel !== undefined && channel === opened) lost();
      };
      opened = await openChannel({ ...found, timeoutMs: LIMIT.connect, told, lost: gone });
      if (opened === undefined) continue;
      const isGreeted = await greet(opened, AbortSignal.timeout(LIMIT.connect));
      if (isOver() || isGone || !isGreeted) {
        opened.close();
        continue;
      }
      channel = opened;
      editor = found;
      const before = said;
      const current = answerOf(await call('getCurrentSelection', {}, { ms: LIMIT.tabs }));
      if (before === said && isObject(current)) select(selectionOf(current));
      if (channel !== opened) return;
      attempts = 0;
      state = 'connected';
      return;
    }
    if (!isOver()) lost();
  };
  let work = connect();

  /** An editor does not say when a file is closed, so its tabs are asked for. One that can't tell them is believed. */
  let refreshing: Promise<void> | undefined;
  const refresh = (): Promise<void> => {
    refreshing ??= (async () => {
      if (state === 'connecting') await work;
      const before = said;
      const tabs = tabsOf(answerOf(await call('getOpenEditors', {}, { ms: LIMIT.tabs })));
      if (tabs === undefined || before !== said) return;
      if (selection !== null && !tabs.paths.includes(selection.path)) selection = null;
      openedFile = tabs.active ?? (openedFile !== null && tabs.paths.includes(openedFile) ? openedFile : null);
    })().finally(() => (refreshing = undefined));
    return refreshing;
  };
  /** Never later than what a message waits for, so that nothing is told that was true some time ago. */
  const asked = async <T>(signal: AbortSignal, look: (signal: AbortSignal) => Promise<Reading<T>>): Promise<Reading<T>> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT.selection)]);
    const late = new Promise<Reading<T>>((resolve) => {
      limit.addEventListener('abort', () => resolve({ type: 'unavailable', why: `${editor?.name ?? 'the editor'} has not answered yet` }), {
        once: true,
      });
    });
    return Promise.race([refresh().then(() => look(limit)), late]);
  };
  const allowed = async <T>(path: string, value: T, signal: AbortSignal): Promise<Reading<T>> => {
    const why = await options.objection({ path, about: 'text' }, signal);
    return why === undefined ? { type: 'ready', value, version: '' } : { type: 'unavailable', why: `nothing is told of ${path}: ${why}` };
  };
  const tellable = async (answer: unknown, signal: AbortSignal): Promise<readonly FileProblems[]> => {
    const value: FileProblems[] = [];
    let room: number = MOST_PROBLEMS;
    for (const { path, problems } of problemsOf(answer)) {
      if (problems.length === 0 || room <= 0 || (await options.objection({ path, about: 'problems' }, signal)) !== undefined) continue;
      value.push({ path, problems: problems.slice(0, room) });
      room -= problems.length;
    }
    return value;
  };
  const nothing: Reading<null> = { type: 'ready', value: null, version: '' };
  const status = (): LinkStatus => ({ state, editor, selection, openedFile });

  return {
    get status() {
      return status();
    },
    ports: {
      selection: {
        read: (signal) =>
          asked<Selection | null>(signal, async (limit) => (selection === null ? nothing : allowed(selection.path, selection, limit))),
      },
      openedFile: {
        // A selection names its file itself.
        read: (signal) =>
          asked<string | null>(signal, async (limit) =>
            openedFile === null || openedFile === selection?.path ? nothing : allowed(openedFile, openedFile, limit),
          ),
      },
      diagnostics: {
        async read(signal) {
          const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT.diagnostics)]);
          if (state === 'connecting')
            await Promise.race([work, new Promise((resolve) => limit.addEventListener('abort', resolve, { once: true }))]);
          const answer = answerOf(await call('getDiagnostics', {}, { ms: LIMIT.diagnostics, signal: limit }));
          if (!Array.isArray(answer))
            return {
              type: 'unavailable',
              why: `${editor?.name ?? 'the editor'} ${channel === undefined ? 'is not connected' : 'has not answered'}`,
            };
          return { type: 'ready', value: await tellable(answer, signal), version: '' };
        },
      },
    },
    async openDiff({ path, text, title }, signal) {
      const input = { old_file_path: path, new_file_path: path, new_file_contents: text, tab_name: title };
      const [verdict, saved] = textsOf(await call('openDiff', input, { signal }));
      void call('close_tab', { tab_name: title }, { ms: LIMIT.connect });
      if (verdict === 'FILE_SAVED') return { type: 'accepted', text: saved ?? text };
      return { type: verdict === 'DIFF_REJECTED' ? 'rejected' : 'open' };
    },
    async reconnect() {
      clearTimeout(timer);
      const former = channel;
      channel = undefined;
      former?.close();
      select(null);
      attempts = 0;
      state = 'connecting';
      work = connect();
      do await work;
      while (state === 'connecting' && !isClosed);
      return status();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      channel?.close();
    },
  };
}
