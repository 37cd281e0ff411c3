/** `sidenote sessions`: lists, shows, exports and removes what is stored for this directory. Nothing is sent. */
import { readTranscript, type ChainRecord, type Fold, type Id } from '@sidenote/engine';
import { defaultConfigDir, jsonlStore, nearest, pruneSessions } from '@sidenote/node';
import { namedSession } from '../../assemble/named-session.js';
import { switched, type Flags } from '../../flags/parse.js';
import { notice, say, type Io } from '../../io.js';
import { UsageError } from '../../usage-error.js';
import { conversationText } from './conversation-text.js';
import { listSessions } from './list.js';
import { localMinute } from './text.js';

const ACTIONS = ['list', 'show', 'export', 'prune'] as const;
/** Lines of a tool's result that `show` gives. */
const SHOWN = 10;
const DAY = 86_400_000;

/** @throws {UsageError} @throws {NoSessionError} and what the store throws. */
export async function sessions(io: Io, flags: Flags): Promise<number> {
  const [word = 'list', name, ...more] = flags.prompt?.split(/\s+/) ?? [];
  const action = ACTIONS.find((one) => one === word);
  if (action === undefined || more.length > 0 || (action === 'list' && name !== undefined)) throw new UsageError(usage(word, action));
  if (action === 'list') return listSessions(io, flags);
  const where = { cwd: io.cwd, configDir: defaultConfigDir(io.env, io.home) };
  if (action === 'prune') return prune(io, where, name);
  const { session, records } = await conversationOf(io, where, name);
  const how = { cwd: io.cwd, injected: switched(flags, 'verbose') };
  if (switched(flags, 'json')) io.stdout.write(`${JSON.stringify({ session, records }, null, 2)}\n`);
  else {
    const text = `${titled(session, records)}${conversationText(records, action === 'show' ? { ...how, lines: SHOWN } : how)}`;
    // A file gets every byte; a terminal would obey what stands in a result.
    if (action === 'export' && io.stdout.isTTY !== true) io.stdout.write(`${text}\n`);
    else say(io, text);
  }
  return 0;
}

/** Which session it is, and when it began. */
function titled(session: Id, [first]: readonly ChainRecord[]): string {
  return `# Session ${session}${first === undefined ? '' : `, ${localMinute(new Date(first.at))}`}\n\n`;
}

type Where = { readonly cwd: string; readonly configDir: string };

const conversationFold: Fold<ChainRecord[]> = {
  name: 'conversation',
  scope: 'chain',
  on: ['user', 'assistant', 'tool_result', 'attachment', 'compact_boundary'],
  initial: () => [],
  step(records, record) {
    if ('parent' in record) records.push(record);
    return records;
  },
};

async function conversationOf(
  io: Io,
  where: Where,
  name: string | undefined,
): Promise<{ readonly session: Id; readonly records: readonly ChainRecord[] }> {
  const store = jsonlStore(where);
  const session = await namedSession({ store, name, tell: (line) => notice(io, line) });
  const { transcript, notes } = await readTranscript(store, session);
  for (const note of notes) notice(io, note);
  return { session, records: transcript.read(conversationFold) };
}

async function prune(io: Io, where: Where, words: string | undefined): Promise<number> {
  const days = Number(words);
  if (words === undefined || !(days >= 0))
    throw new UsageError('sidenote sessions prune <days>: sessions that were not written for so many days');
  const removed = await pruneSessions({ ...where, before: Date.now() - days * DAY });
  say(io, removed.length === 0 ? 'nothing to remove' : ['removed', ...removed].join('\n  '));
  return 0;
}

function usage(word: string, action: (typeof ACTIONS)[number] | undefined): string {
  const near = action ?? nearest(word, ACTIONS);
  const forms = 'sidenote sessions [list] | show [id] | export [id] | prune <days>';
  return near === undefined || near === action ? forms : `sidenote sessions ${word}: did you mean ${near}? (${forms})`;
}
