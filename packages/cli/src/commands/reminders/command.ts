/** `/reminders`: every kind of context with what it does in this session, and a switch for each. */
import { builtInKinds, countText, hookKinds, kindSwitches, whyOff, type AttachmentRecord, type Transcript } from '@sidenote/engine';
import { nearest } from '@sidenote/node';
import type { Conversation } from '../../conversation.js';
import { inside } from '../../inside.js';
import { clean } from '../../terminal/clean.js';
import type { Command, CommandOutcome } from '../command.js';
import { unsent } from '../context/command.js';
import { broken, namedRow } from '../rows.js';
import { saidFold, type Said } from './said.js';

const LEGEND = 'times in the session, tokens in this window; time (UTC) and title of the last one';
const KINDS = builtInKinds.map(({ kind }) => kind);

export const remindersCommand: Command = {
  name: 'reminders',
  hint: '[kind on|off]',
  summary: 'kinds of context: what is on, what was told, and a switch for each',
  async run({ conversation, width }, rest) {
    if (rest === '') return { type: 'text', text: listing(conversation, width) };
    const [kind = '', to = '', ...more] = rest.split(/\s+/);
    if (!KINDS.includes(kind)) {
      const near = nearest(kind, KINDS);
      return {
        type: 'refused',
        text: `there is no kind ${kind}${near === undefined ? '' : `; did you mean ${near}?`} (/reminders lists all)`,
      };
    }
    if ((to !== 'on' && to !== 'off') || more.length > 0) return { type: 'refused', text: `/reminders ${kind} takes on or off` };
    return change(conversation, kind, to);
  },
};

async function change({ session }: Conversation, kind: string, to: 'on' | 'off'): Promise<CommandOutcome> {
  // The first of the hook kinds stands for what hooks say in any way, as in settings.
  const kinds = kind === 'hook_additional_context' ? hookKinds.map((one) => one.kind) : [kind];
  const said = Object.fromEntries(kinds.map((one) => [one, to]));
  await session.set('kinds', { ...kindSwitches(session.main.transcript), ...said });
  const told = to === 'off' ? '; what was told stays in the conversation' : '';
  return {
    type: 'text',
    text: `${kind} is ${to} from the next message on, in this session${told}\nfor all sessions: "attachments": { "${kind}": "${to}" } in ~/.sidenote/settings.json`,
  };
}

/** What has told something, or can't, one to a line; the others, which had nothing to tell, by name. */
function listing(conversation: Conversation, width: number): string {
  const { transcript } = conversation.session.main;
  const said = transcript.read(saidFold);
  const tokens = tokensInWindow(conversation);
  const name = Math.max(...KINDS.map((kind) => kind.length));
  const rows: string[] = [];
  const quiet: string[] = [];
  for (const kind of KINDS) {
    const { state, why } = stateOf(kind, { transcript, off: conversation.off, said: said.get(kind) });
    const { times = 0, last } = said.get(kind) ?? {};
    const told =
      last === undefined ? '' : `${times}×, ${countText(tokens.get(kind) ?? 0)} tokens here; ${last.at.slice(11, 16)} ${last.title}`;
    const says = [why, told].filter(Boolean).join(' · ');
    if (says === '') quiet.push(kind);
    else rows.push(...namedRow([`${state.padEnd(3)} ${kind}`, inside(clean(says), conversation.cwd)], { column: name + 6, width }));
  }
  const legend = transcript.head === null ? [] : ['', ...broken(LEGEND, width, 0)];
  return [...rows, '', ...broken(`on, and nothing told so far: ${quiet.join(', ')}`, width, 4), ...legend].join('\n').trimStart();
}

type At = {
  readonly transcript: Pick<Transcript, 'read'>;
  readonly off: Readonly<Record<string, string>>;
  readonly said: Said | undefined;
};

function stateOf(kind: string, { transcript, off, said }: At): { readonly state: 'on' | 'off'; readonly why: string } {
  const why = whyOff(kind, { log: transcript, off });
  if (why !== undefined) return { state: 'off', why };
  const { outcome, why: reason = '' } = said?.outcome ?? {};
  // A switch that was turned since the newest request counts; what the session lacks is off all the same.
  const stale = kindSwitches(transcript)[kind] === 'on' && reason.startsWith('switched off');
  if (outcome === undefined || stale) return { state: 'on', why: '' };
  return outcome === 'off' ? { state: 'off', why: reason } : { state: 'on', why: [outcome, reason].filter(Boolean).join(': ') };
}

function tokensInWindow({ session: { main } }: Conversation): ReadonlyMap<string, number> {
  // As `/context` has them, so that one number is not told in two ways.
  if (unsent(main) === undefined && main.analysis !== null)
    return new Map(main.analysis.parts.flatMap(({ type, name, tokens }) => (type === 'attachment' ? [[name, tokens]] : [])));
  const sums = new Map<string, number>();
  const isTold = (record: { readonly type: string }): record is AttachmentRecord => record.type === 'attachment';
  for (const { kind, content } of main.transcript.window.filter(isTold))
    sums.set(kind, (sums.get(kind) ?? 0) + Math.round(main.tokens(content)));
  return sums;
}
