/** After a compaction: the files that the model read last, as they are now, so that the work can go on where it was. */
import type { Id } from '../../content/content.js';
import { countLines } from '../../content/text.js';
import type { Fold } from '../../transcript/fold.js';
import type { Effect, FileView } from '../../transcript/records.js';
import { defineAttachment, isKind, type Room } from '../contract.js';
import type { MentionReading } from '../ports.js';
import { pathsIn } from '../parts/instruction-text.js';
import { fitting, member } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { charactersIn, fitLines } from '../parts/room.js';
import { effectsIn, firstLines, isGone } from '../parts/views.js';

/** Files that are shown, and tokens of one and of all. */
const FILES = 5;
const TOKENS_EACH = 5_000;
const TOKENS = 50_000;
/** Names of older files. */
const MOST_NAMES = 30;

type Recent = {
  /** Files that were read or written, by path, the newest last: the place in the chain. One that is gone is not in it. */
  readonly seen: Map<string, number>;
  /** Instructions and memories: kinds of their own tell them to each window, whether they were read besides or not. */
  readonly own: Set<string>;
  /** Where a kept tail may begin. */
  readonly places: Map<Id, number>;
  /** Places in the chain so far. */
  at: number;
  /** What the newest compaction took away, the newest last. Null: it was told again, or nothing was compacted. */
  lost: readonly string[] | null;
};

/** Fold over the chain: what was read lately, and what of it the newest compaction took away. */
export const recentFilesFold: Fold<Recent> = {
  name: 'recent-files',
  scope: 'chain',
  on: ['user', 'assistant', 'tool_result', 'attachment', 'compact_boundary'],
  initial: () => ({ seen: new Map(), own: new Set(), places: new Map(), at: 0, lost: null }),
  step(state, record) {
    state.at++;
    if (record.type === 'compact_boundary') compact(state, record.keepFrom);
    else if (record.type === 'user' || record.type === 'assistant') state.places.set(record.id, state.at);
    if (isKind(record, 'restored_files')) state.lost = null;
    if (isKind(record, 'project_instructions') || isKind(record, 'relevant_memories'))
      for (const path of pathsIn(record.effects)) state.own.add(path);
    for (const effect of effectsIn(record)) note(state, effect);
    return state;
  },
};

/** What stands in the kept tail is not lost. */
function compact(state: Recent, keepFrom: Id | null): void {
  const from = (keepFrom === null ? undefined : state.places.get(keepFrom)) ?? state.at;
  for (const [id, at] of state.places) if (at < from) state.places.delete(id);
  state.lost = [...state.seen].flatMap(([path, at]) => (at < from && !state.own.has(path) ? [path] : []));
}

function note(state: Recent, effect: Effect): void {
  if (effect.type !== 'viewed' && effect.type !== 'wrote') return;
  const { view } = effect;
  state.seen.delete(view.path);
  // What is seen again is not lost.
  state.lost = state.lost?.filter((path) => path !== view.path) ?? null;
  if (view.form === 'raw' && !isGone(view)) state.seen.set(view.path, state.at);
}

type Data = { readonly shown: readonly MentionReading[]; readonly others: readonly string[] };

const INTRO = 'Of the files that you had read before the conversation was summarised, the newest, as they are now:';
const OTHERS = 'Files that you had read before them; read them again where they matter:';

export const restoredFiles = defineAttachment({
  kind: 'restored_files',
  version: 1,
  needs: ['mentions', 'blobs'],
  group: 'thread',
  wait: 'must',
  trust: 'third-party',
  shortened: 'first',
  told: recentFilesFold,
  decode: (data) => (Array.isArray(member(data, 'files')) ? data : undefined),
  async collect(moment, told, { mentions, blobs }) {
    const { lost } = told;
    if (lost === null) return { type: 'nothing' };
    // What the words of this very message mention is shown by them.
    const shown = new Set(moment.effects.flatMap((effect) => (effect.type === 'viewed' ? [effect.view.path] : [])));
    const paths = lost.filter((path) => !shown.has(path)).toReversed();
    if (paths.length === 0) return { type: 'nothing' };
    const readings = await Promise.all(paths.slice(0, FILES).map((path) => mentions.read({ raw: path, path }, blobs, moment.signal)));
    if (moment.signal.aborted) return { type: 'unavailable', why: 'interrupted' };
    return { type: 'new', data: { shown: readings, others: paths.slice(FILES) } };
  },
  render(data: Data, room) {
    const told = tellAll(data, room);
    const content = told.files.flatMap(({ reading, text }) =>
      reading.type === 'media' ? [{ type: 'text' as const, text }, reading.content] : [{ type: 'text' as const, text }],
    );
    const cut = told.files.flatMap(({ reading, left }) => (left > 0 ? [`${left} lines of ${reading.path}`] : []));
    const others = told.others === '' ? [] : [{ type: 'text' as const, text: told.others }];
    return { content: [...content, ...others], ...(cut.length === 0 ? {} : { cut: cut.join(', ') }) };
  },
  keep: ({ shown, others }) => ({ files: fitting(shown.map(({ type, path }) => ({ type, path }))), others: others.length }),
  effects: (data, room) => tellAll(data, room).files.flatMap(effectsOfFile),
  title: ({ shown, others }) => {
    const more = others.length === 0 ? '' : `; ${others.length} more by name`;
    return `files again: ${names(shown.map(({ path }) => path))}${more}`;
  },
  reason: () => 'they were read last before the compaction',
});

type Told = { readonly reading: MentionReading; readonly text: string; /** Lines for which there was no room. */ readonly left: number };

/** The newest first, each inside its own budget and what the ones before it left. */
function tellAll({ shown, others }: Data, room: Room): { readonly files: readonly Told[]; readonly others: string } {
  const each = charactersIn({ tokens: TOKENS_EACH });
  const list = others.slice(0, MOST_NAMES).map((path) => `- ${path}`);
  if (others.length > MOST_NAMES) list.push(`- and ${others.length - MOST_NAMES} more`);
  const named = list.length === 0 ? '' : `${OTHERS}\n${list.join('\n')}`;
  let characters = charactersIn({ tokens: Math.min(TOKENS, room.tokens) }) - INTRO.length - named.length;
  const files = shown.map((reading, index): Told => {
    const { text, left } = tell(reading, Math.min(each, characters));
    characters = Math.max(0, characters - text.length);
    return { reading, text: index === 0 ? `${INTRO}\n\n${text}` : text, left };
  });
  return { files, others: named };
}

function tell(reading: MentionReading, characters: number): { readonly text: string; readonly left: number } {
  switch (reading.type) {
    case 'file': {
      const title = `${reading.path}${reading.note === undefined ? '' : ` (${reading.note})`}:`;
      const body = reading.text === '' ? '(an empty file)' : reading.text;
      const fit = fitLines(body, { characters: characters - title.length - 1, rest: 'reading it gives the rest' });
      return { text: `${title}\n${fit.text}`, left: fit.left };
    }
    case 'media':
      return { text: `${reading.path} follows.`, left: 0 };
    case 'directory':
      return { text: `${reading.path} is a folder now.`, left: 0 };
    default:
      return { text: `${reading.path} is not shown: ${reading.why}.`, left: 0 };
  }
}

/** What was shown counts as seen, so far and no further. */
function effectsOfFile({ reading, left }: Told): readonly Effect[] {
  if (reading.type === 'media') return [{ type: 'viewed', view: reading.view }];
  if (reading.type !== 'file') return [];
  if (left === 0) return [{ type: 'viewed', view: reading.view }];
  const count = countLines(reading.text) - left;
  if (count <= 0) return [];
  const view: FileView = { ...reading.view, lines: firstLines(reading.view.lines, count) };
  return [{ type: 'viewed', view }];
}
