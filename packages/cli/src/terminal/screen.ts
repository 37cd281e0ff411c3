/** The screen of an interactive session: what stands on it, what each key does, and who gets the words. */
import { readFile } from 'node:fs/promises';
import type { Ask, AskPlan, AskQuestion, Mode, PlanQuestion } from '@sidenote/agent';
import { todosFold, type Id, type Todo } from '@sidenote/engine';
import type { Choose } from '../assemble/first-questions.js';
import { failureText } from '../failure-text.js';
import type { Conversation } from '../conversation.js';
import { spentUsd } from '../spending.js';
import { choiceContent } from './choice-content.js';
import type { ScreenClock } from './clock.js';
import { createDialog } from './dialog.js';
import type { History } from './history.js';
import { permissionContent } from './permission-content.js';
import { planContent } from './plan-content.js';
import { questionContent } from './question-content.js';
import { queueLines } from './queue-lines.js';
import { restingLines } from './resting-line.js';
import { statusLine, workingLine, type Status } from './status-lines.js';
import type { Theme } from './theme.js';
import { todoStrip } from './todo-strip.js';
import { transcriptView } from './transcript-view.js';
import type { Key, View } from './view.js';
import { startWork, type Work } from './work.js';

/** Milliseconds within which the second ctrl+c ends the session. */
const TWICE = 2_000;
/** What shift+tab goes through; the mode that the session was opened in comes last where it is none of these. */
const MODES: readonly Mode[] = ['default', 'acceptEdits', 'plan', 'auto'];

export type ScreenOptions = {
  view(hooks: { submit(words: string): void; key(key: Key): boolean }): View;
  readonly theme: Theme;
  readonly clock: ScreenClock;
  readonly history: History;
  /** Opens the session. The screen stands before, and words typed meanwhile wait. */
  open(hooks: {
    readonly ask: Ask;
    readonly askPlan: AskPlan;
    readonly askQuestion: AskQuestion;
    readonly choose: Choose;
    notice(line: string): void;
    insert(words: string): void;
    news(): void;
  }): Promise<Conversation>;
  /** Gives the terminal to an editor. Resolves with what went wrong, if something did. */
  edit(path: string): Promise<string | undefined>;
  /** One line for the person once the screen is gone: what the end of the session tells. */
  told(line: string): void;
  /** Shown first. */
  readonly greeting: string;
  readonly prompt?: string | undefined;
  /** Aborted from outside: the session ends. */
  readonly signal: AbortSignal;
  readonly cwd: string;
  /** The working directory as it is shown. */
  readonly folder: string;
};

/**
 * Runs until the person leaves. Gives the id of the session that was left; undefined when nothing was said in it.
 * Rejects when the session could not be opened.
 */
export async function runScreen(options: ScreenOptions): Promise<Id | undefined> {
  const { theme, clock, cwd } = options;
  const view: View = options.view({ submit, key });
  const transcript = transcriptView(view, theme);
  const dialog = createDialog({ view, theme, clock });
  const expanded = (): boolean => transcript.expanded;
  const ending = new AbortController();
  let end = (): void => {};
  const left = new Promise<void>((resolve) => {
    end = resolve;
  });
  let conversation: Conversation | undefined;
  let work: Work | undefined;
  let hint: string | undefined;
  let forget = (): void => {};
  let lastInterrupt = Number.NEGATIVE_INFINITY;
  const waiting: string[] = options.prompt === undefined ? [] : [options.prompt];
  let opened: Mode | undefined;
  let isGone = false;
  let changing: Promise<void> = Promise.resolve();

  view.above((width) => [
    ...dialog.lines(width),
    ...queueLines(work?.waiting ?? [], width, theme),
    ...(work?.working === undefined
      ? restingLines({ todos: todos(), running: running() }, width, theme)
      : [
          ...todoStrip(todos(), width, theme),
          workingLine(dialog.open ? { ...work.working, doing: 'waiting for your answer' } : work.working, width, theme),
        ]),
  ]);
  view.below((width) => [statusLine(status(), width, theme)]);
  transcript.plain(options.greeting);
  view.start();
  // What is typed before that is newer.
  const recalled = options.history.load().then((earlier) => earlier.forEach((words) => view.remember(words)));
  options.signal.addEventListener('abort', end, { once: true });

  function todos(): readonly Todo[] {
    return conversation?.session.main.transcript.read(todosFold).value ?? [];
  }

  function running(): number {
    return conversation?.background.list().filter(({ state }) => state === 'running').length ?? 0;
  }

  function status(): Status {
    const about = { folder: options.folder, ...(hint === undefined ? {} : { hint }) };
    if (conversation === undefined) return { ...about, mode: 'default', model: 'opening…', used: 0, window: 0, compactsAt: null, usd: 0 };
    const { agent, model, profile, companion, compactsAt } = conversation;
    const spent = spentUsd(conversation.spent);
    const usd = spent === 0 && profile.price === null ? null : spent;
    const beside = companion === undefined ? {} : { companion };
    const fill = { used: work?.used ?? 0, window: profile.window, compactsAt };
    return { ...about, ...beside, ...fill, mode: agent.permissions.mode, model, usd };
  }

  function flash(words: string): void {
    forget();
    hint = words;
    forget = clock.after(TWICE, () => {
      hint = undefined;
      view.refresh();
    });
    view.refresh();
  }

  function key(pressed: Key): boolean {
    const { name } = pressed;
    if (name === 'escape' && view.completing) return false;
    if (name === 'escape' && dialog.open) {
      dialog.key(pressed);
      work?.interrupt();
      return true;
    }
    if (name !== 'ctrl+c' && name !== 'ctrl+o' && name !== 'shift+tab' && dialog.key(pressed)) return true;
    switch (name) {
      case 'ctrl+c': {
        const again = clock.now() - lastInterrupt < TWICE;
        lastInterrupt = clock.now();
        if (again) end();
        else if (work?.busy) work.interrupt();
        else view.draft = '';
        if (!again) flash('ctrl+c again to exit');
        return true;
      }
      case 'ctrl+d':
        if (view.draft !== '') return false;
        end();
        return true;
      case 'escape':
        if (work === undefined) return false;
        if (work.waiting.length > 0) void takeBack(work).catch(failed);
        else if (work.busy) work.interrupt();
        else return false;
        return true;
      case 'ctrl+o':
        transcript.toggle();
        return true;
      case 'ctrl+l':
        view.refresh('all');
        return true;
      case 'shift+tab':
        if (conversation !== undefined && !dialog.open) nextMode(conversation);
        return true;
      default:
        return false;
    }
  }

  /** Words that wait stand in the editor again, before what is being typed. */
  async function takeBack(from: Work): Promise<void> {
    const words = await from.takeBack();
    view.draft = [...words, view.draft].filter((part) => part !== '').join('\n\n');
    view.refresh();
  }

  /** One change after the other, however fast the keys come. */
  function nextMode(current: Conversation): void {
    changing = changing
      .then(async () => {
        const all = opened === undefined || MODES.includes(opened) ? MODES : [...MODES, opened];
        await current.setMode(all[(all.indexOf(current.agent.permissions.mode) + 1) % all.length] ?? 'default');
        view.refresh();
      })
      .catch(failed);
  }

  function failed(error: unknown): void {
    transcript.notice(failureText(error), 'error');
  }

  function submit(typed: string): void {
    const words = typed.trim();
    if (dialog.submit(words) || words === '') return;
    void recalled.then(() => view.remember(words));
    void options.history.add(words);
    if (work === undefined) waiting.push(words);
    else work.take(words);
  }

  /** Nothing is drawn while the editor has the terminal. */
  async function edit(path: string): Promise<void> {
    await view.stop();
    const failure = await options.edit(path);
    view.start();
    view.refresh('all');
    if (failure !== undefined) transcript.notice(failure, 'error');
  }

  async function editPlan({ file, plan: before }: PlanQuestion): Promise<string> {
    await edit(file);
    return readFile(file, 'utf8').catch(() => before);
  }

  try {
    await recalled;
    void left.then(() => ending.abort());
    conversation = await options.open({
      ask: (request, signal) => dialog.ask(permissionContent(request, { theme, cwd, expanded }), signal),
      askPlan: (question, signal) => dialog.ask(planContent(question, { theme, expanded, edit: editPlan }), signal),
      askQuestion: (question, signal) => dialog.ask(questionContent(question, theme), signal),
      choose: (question) => dialog.ask(choiceContent(question, theme), ending.signal),
      notice: (line) => (isGone ? options.told(line) : transcript.notice(line, 'warning')),
      insert: (words) => {
        view.draft += `${view.draft === '' || /\s$/.test(view.draft) ? '' : ' '}${words} `;
      },
      news: () => work?.wake(),
    });
    opened = conversation.agent.permissions.mode;
    work = startWork(conversation, { view, transcript, clock, flash, edit, failed, leave: end });
    view.refresh();
    for (const words of waiting.splice(0)) work.take(words);
    await left;
    await work.end();
    const { session } = conversation;
    return session.main.transcript.head === null ? undefined : session.id;
  } finally {
    forget();
    options.signal.removeEventListener('abort', end);
    await view.stop();
    isGone = true;
    await conversation?.close();
  }
}
