/**
 * What hooks say to the model: one family of kinds. Each is pushed with `thread.attach` when a hook has run, and is never
 * collected: a resumed session sends what was said then, and runs no hook for it again.
 */
import type { Json } from '../../content/content.js';
import { countText } from '../../content/count-text.js';
import { head } from '../../content/text.js';
import { defineAttachment, lastOf } from '../contract.js';
import { member } from '../parts/kept.js';
import { charactersIn, fitLines } from '../parts/room.js';

/** What `thread.attach` takes for these kinds. A JSON object by construction. */
export type HookText = {
  /** `PostToolUse` */
  readonly event: string;
  /** The event and what it was about: `PostToolUse:Bash`. */
  readonly hook: string;
  /** All of it, or its head. */
  readonly text: string;
  /** Characters of all of it, when `text` is its head. */
  readonly characters?: number;
  /** Absolute path of the file that holds all of it. */
  readonly file?: string;
};

const LONGEST_TITLE = 80;

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > LONGEST_TITLE ? `${head(line, LONGEST_TITLE - 1)}…` : line;
}

function hookKind(kind: string, about: { readonly says: string; readonly title: string; readonly reason: string }) {
  return defineAttachment({
    kind,
    version: 1,
    needs: [],
    group: 'thread',
    wait: 'may',
    trust: 'third-party',
    told: lastOf(kind, () => true),
    decode: (data: Json) => (typeof member(data, 'hook') === 'string' ? { hook: member(data, 'hook') } : undefined),
    collect: () => ({ type: 'nothing' }),
    render({ hook, text, characters = text.length, file }: HookText, room) {
      const rest = file === undefined ? 'they were not kept' : `all of it is in ${file}`;
      const { text: shown, left } = fitLines(text.trim(), { characters: Math.max(200, charactersIn(room)), rest });
      const cutNote = `[the first ${countText(text.length)} of ${countText(characters)} characters; ${file === undefined ? 'the others were not kept' : `all of it is in ${file}`}]`;
      const parts = [`${hook} hook, ${about.says}:`, shown, ...(characters > text.length ? [cutNote] : [])];
      const cut = left > 0 || characters > text.length ? { cut: `the text of the hook ${hook}` } : {};
      return { content: [{ type: 'text', text: parts.join('\n') }], ...cut };
    },
    keep: ({ event, hook, file }) => ({ event, hook: head(hook, 400), ...(file === undefined ? {} : { file: head(file, 1_000) }) }),
    title: ({ hook, text }) => `${about.title} ${hook}: ${firstLine(text)}`,
    reason: () => about.reason,
  });
}

/** Context that a hook adds by its JSON. */
export const hookAdditionalContext = hookKind('hook_additional_context', {
  says: 'additional context',
  title: 'hook context',
  reason: 'a hook added it',
});
/** Plain text of a hook that ran at a session's start or beside a prompt. */
export const hookSuccess = hookKind('hook_success', {
  says: 'output',
  title: 'hook output',
  reason: 'a hook printed it',
});
/** Why a hook objects to what a tool did, or to the end of the turn. */
export const hookBlockingError = hookKind('hook_blocking_error', {
  says: 'objection',
  title: 'hook objection',
  reason: 'a hook objected',
});
/** Why a hook ended a turn: told with the next words. */
export const hookStopped = hookKind('hook_stopped', {
  says: 'which ended the turn',
  title: 'turn ended by hook',
  reason: 'a hook ended the turn',
});
/** What a hook that ran beside the work has said since. */
export const asyncHookResponse = hookKind('async_hook_response', {
  says: 'output that came later',
  title: 'later hook output',
  reason: 'a hook that ran beside the work has ended',
});

/** The family in catalogue order. */
export const hookKinds = [hookAdditionalContext, hookSuccess, hookBlockingError, hookStopped, asyncHookResponse] as const;
