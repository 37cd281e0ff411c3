/**
 * Rules about the order of messages: who may follow whom, and that every call is answered, at once and first. Consecutive
 * messages of one role count as one turn, as they do for the provider.
 */
import { wireMedia } from '../content/media.js';
import { emptyRoom, mostMedia, withMedia, type MediaRoom } from './media-room.js';
import type { ModelProfile } from './model.js';
import type { Report } from './problem.js';
import type { MessagesBody, WireBlock, WireMessage } from './wire.js';

/** What must be remembered of the messages so far. Small, and never changed in place but for `calls`. */
export type Turns = {
  /** Messages read. */
  readonly messages: number;
  readonly last: WireMessage['role'] | null;
  /** Calls of the last assistant turn, and which of them are answered. */
  readonly open: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
  /** The user turn holds something besides results. */
  readonly wordsBegun: boolean;
  /** A missing result was reported; once is enough. */
  readonly reported: boolean;
  /** User messages with results since the last answer. */
  readonly holders: number;
  readonly media: MediaRoom;
  /** Message index by call id. Shared by all states of a session, so an entry counts only if the body holds the call there. */
  readonly calls: Map<string, number>;
};

type Context = { readonly path: string; readonly body: MessagesBody; readonly profile: ModelProfile };

export function startTurns(): Turns {
  const none: ReadonlySet<string> = new Set();
  return {
    messages: 0,
    last: null,
    open: none,
    answered: none,
    wordsBegun: false,
    reported: false,
    holders: 0,
    media: emptyRoom(),
    calls: new Map(),
  };
}

export function readMessage(turns: Turns, message: WireMessage, context: Context, report: Report): Turns {
  const { path } = context;
  if (message.content.length === 0) report(path, 'empty-message', 'a message must have content');
  if (turns.last === null && message.role !== 'user') report(path, 'first-message', `the first message is the user's, not ${message.role}`);
  if (turns.last === 'system' && message.role === 'user') {
    report(path, 'system-place', 'a system message is followed by an answer or by nothing, not by a user message');
  }
  const media = readMedia(turns.media, message.content, context, report);
  const next = { ...turns, media, messages: turns.messages + 1, last: message.role };
  switch (message.role) {
    case 'user':
      return readUser(next, message.content, path, report);
    case 'assistant':
      return readAnswer(next, message.content, { ...context, goesOn: turns.last === 'assistant' }, report);
    case 'system':
      checkSystem(turns, context, report);
      return next;
    default:
      report(path, 'role', 'a message is of the role user, assistant or system');
      return next;
  }
}

/** What only shows at the end: an open call, a last message that asks for nothing. */
export function closeTurns(turns: Turns, report: Report): void {
  const path = `messages.${turns.messages - 1}`;
  if (turns.last === null) report('messages', 'empty-message', 'at least one message is required');
  if (turns.last === 'assistant') report(path, 'prefill', 'the last message must not be an answer');
  reportMissing(turns, path, report);
}

function readUser(turns: Turns, blocks: readonly WireBlock[], path: string, report: Report): Turns {
  const answered = new Set(turns.answered);
  let { wordsBegun, reported } = turns;
  blocks.forEach((block, index) => {
    const at = `${path}.content.${index}`;
    if (block.type !== 'tool_result') {
      if (!wordsBegun) reported = reportMissing({ ...turns, answered }, at, report);
      wordsBegun = true;
      return;
    }
    const id = block.tool_use_id;
    if (!turns.open.has(id)) report(at, 'unexpected-result', `no call ${id} in the answer before`);
    else if (answered.has(id)) report(at, 'duplicate-result', `a second result for call ${id}`);
    else if (wordsBegun) report(at, 'results-first', 'results stand before everything else in a user turn');
    answered.add(id);
  });
  const holders = turns.holders + (blocks.some((block) => block.type === 'tool_result') ? 1 : 0);
  return { ...turns, answered, wordsBegun, reported, holders };
}

function readAnswer(turns: Turns, blocks: readonly WireBlock[], context: Context & { readonly goesOn: boolean }, report: Report): Turns {
  const { path, body, goesOn } = context;
  if (!goesOn) reportMissing(turns, path, report);
  const open = new Set(goesOn ? turns.open : []);
  blocks.forEach((block, index) => {
    if (block.type !== 'tool_use') return;
    const seen = turns.calls.get(block.id);
    const message = turns.messages - 1;
    if (open.has(block.id) || (seen !== undefined && seen < message && holdsCall(body.messages[seen], block.id))) {
      report(`${path}.content.${index}`, 'duplicate-call', `the id ${block.id} is used twice`);
    } else turns.calls.set(block.id, message);
    open.add(block.id);
  });
  return { ...turns, open, answered: new Set(), wordsBegun: false, reported: false, holders: 0 };
}

function checkSystem(turns: Turns, { path, profile }: Context, report: Report): void {
  if (!profile.deliveries.includes('system-message')) {
    return report(path, 'system-role', `${profile.model} takes no system messages inside the conversation`);
  }
  if (turns.last === 'assistant') report(path, 'system-place', 'a system message follows a user turn, not an answer');
  if (turns.holders > 1) report(path, 'system-place', 'no system message after results that are split over several user messages');
}

/** True when a result is missing, now or as reported before. */
function reportMissing({ open, answered, reported }: Turns, path: string, report: Report): boolean {
  const missing = reported ? [] : [...open].filter((id) => !answered.has(id));
  if (missing.length > 0) report(path, 'missing-result', `calls without a result right after them: ${missing.join(', ')}`);
  return reported || missing.length > 0;
}

function holdsCall(message: WireMessage | undefined, id: string): boolean {
  return message !== undefined && message.content.some((block) => block.type === 'tool_use' && block.id === id);
}

function readMedia(before: MediaRoom, blocks: readonly WireBlock[], { path, profile }: Context, report: Report): MediaRoom {
  let room = before;
  let large = false;
  for (const block of blocks.flatMap((one): readonly WireBlock[] => (one.type === 'tool_result' ? one.content : [one]))) {
    // A broken one is found by the rule for blocks.
    const media = block.type === 'image' || block.type === 'document' ? wireMedia(block) : null;
    if (media === null) continue;
    const next = withMedia(room, media);
    room = next.room;
    large ||= next.tooLarge;
  }
  const most = mostMedia(profile);
  if (room.media > most && before.media <= most) report(path, 'media-count', `more than ${most} images and documents in a request`);
  if (large) report(path, 'media-size', 'with more than 20 images none may have a side over 2,000 pixels');
  return room;
}
