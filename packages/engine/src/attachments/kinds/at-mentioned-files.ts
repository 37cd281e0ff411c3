/** Files, folders and pictures that someone's words name with `@`: shown at once, as the read tool would show them. */
import type { Content } from '../../content/content.js';
import { countLines } from '../../content/text.js';
import type { Effect, FileView } from '../../transcript/records.js';
import { defineAttachment, type Room } from '../contract.js';
import type { MentionReading } from '../ports.js';
import { fitting, member } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { ownWords } from '../parts/own-words.js';
import { charactersIn, fitLines } from '../parts/room.js';
import { covers, firstLines, viewsFold, type Views } from '../parts/views.js';

/** A reading, or that the model has it already. */
type Item = MentionReading | { readonly type: 'unchanged'; readonly path: string };
type Data = { readonly items: readonly Item[] };
/** `left`: lines for which there was no room. */
type Told = { readonly item: Item; readonly text: string; readonly left: number };

export const atMentionedFiles = defineAttachment({
  kind: 'at_mentioned_files',
  version: 1,
  needs: ['mentions', 'blobs'],
  group: 'input',
  wait: 'must',
  trust: 'third-party',
  told: viewsFold,
  decode: (data) => (Array.isArray(member(data, 'items')) ? data : undefined),
  async collect(moment, told, { mentions, blobs }) {
    const found = moment.prompts.flatMap(ownWords).flatMap((text) => mentions.find(text));
    const unique = [...new Map(found.map((mention) => [`${mention.path}\n${mention.lines?.join('-') ?? ''}`, mention])).values()];
    if (unique.length === 0) return { type: 'nothing' };
    const readings = await Promise.all(unique.map((mention) => mentions.read(mention, blobs, moment.signal)));
    if (moment.signal.aborted) return { type: 'unavailable', why: 'interrupted' };
    return { type: 'new', data: { items: distinct(readings).map((reading) => known(reading, told)) } };
  },
  render({ items }: Data, room) {
    const told = tellAll(items, room);
    const content = told.flatMap(({ item, text }): readonly Content[] =>
      item.type === 'media' ? [{ type: 'text', text }, item.content] : [{ type: 'text', text }],
    );
    const cut = told.flatMap(({ item, left }) => (left > 0 ? [`${left} lines of ${item.path}`] : []));
    return cut.length > 0 ? { content, cut: cut.join(', ') } : { content };
  },
  keep: ({ items }) => ({ count: items.length, items: fitting(items.map(({ type, path }) => ({ type, path }))) }),
  effects: ({ items }, room) => tellAll(items, room).flatMap(effectsOfItem),
  title: ({ items }) => titleOf(items),
  reason: ({ items }) => (items.length === 1 ? 'the prompt names it' : 'the prompt names them'),
});

/** What is not shown is said with the reason: a person mistypes paths. */
function titleOf(items: readonly Item[]): string {
  const shown = items.filter((item) => !('why' in item)).map(({ path }) => path);
  const others = items.flatMap((item) => ('why' in item ? [`${item.path} (${item.why})`] : []));
  if (others.length === 0) return `mentioned: ${names(shown)}`;
  return shown.length === 0 ? `mentioned, not shown: ${names(others)}` : `mentioned: ${names(shown)}; not shown: ${names(others)}`;
}

/** A path can be spelt in several ways, and a part stands in the whole: each is shown once, where it is shown first. */
function distinct(readings: readonly MentionReading[]): readonly MentionReading[] {
  return readings.filter(
    (reading, at) => !readings.some((other, index) => index !== at && holds(other, reading) && (index < at || !holds(reading, other))),
  );
}

function holds(whole: MentionReading, part: MentionReading): boolean {
  if (whole.path !== part.path || whole.type !== part.type) return false;
  if ('view' in whole && 'view' in part) return isSame(whole.view, part.view);
  return !('why' in whole && 'why' in part) || whole.why === part.why;
}

function known(reading: MentionReading, told: Readonly<Views>): Item {
  if (reading.type !== 'file' && reading.type !== 'media') return reading;
  const seen = told.get(reading.path);
  return seen !== undefined && isSame(seen, reading.view) ? { type: 'unchanged', path: reading.path } : reading;
}

function isSame(seen: FileView, now: FileView): boolean {
  return seen.digest === now.digest && seen.form === now.form && covers(seen.lines, now.lines);
}

/** In their order, each with what the ones before it left of the room. */
function tellAll(items: readonly Item[], room: Room): readonly Told[] {
  let characters = charactersIn(room);
  return items.map((item) => {
    const { text, left } = tell(item, characters);
    characters = Math.max(0, characters - text.length);
    return { item, text, left };
  });
}

function tell(item: Item, characters: number): { readonly text: string; readonly left: number } {
  switch (item.type) {
    case 'file': {
      // That a part is missing is said before what is there.
      const part = item.note === undefined ? '' : ` (${item.note})`;
      const body = item.text === '' ? '(an empty file)' : item.text;
      return under(`${item.path}, which the user mentioned${part}:`, body, characters);
    }
    case 'directory':
      return under(`The folder ${item.path}, which the user mentioned, holds:`, item.text, characters);
    case 'media':
      return { text: `${item.path}, which the user mentioned, follows.`, left: 0 };
    case 'unchanged':
      return { text: `${item.path}, which the user mentioned, is unchanged since you last saw it above.`, left: 0 };
    default:
      return { text: `${item.path}, which the user mentioned, is not shown: ${item.why}.`, left: 0 };
  }
}

function under(head: string, text: string, characters: number): { readonly text: string; readonly left: number } {
  const fit = fitLines(text, { characters: characters - head.length - 1, rest: 'reading it gives the rest' });
  return { text: `${head}\n${fit.text}`, left: fit.left };
}

function effectsOfItem({ item, left }: Told): readonly Effect[] {
  if (item.type === 'media' || (item.type === 'file' && left === 0)) return [{ type: 'viewed', view: item.view }];
  if (item.type === 'file') return effectsOfPart(item.view, countLines(item.text) - left);
  if (item.type === 'unchanged') return [{ type: 'touched', path: item.path }];
  // The slash says that the folder itself was entered, not the one it lies in.
  return item.type === 'directory' ? [{ type: 'touched', path: item.path.endsWith('/') ? item.path : `${item.path}/` }] : [];
}

/** The first `count` of the lines in `view` were shown. */
function effectsOfPart(view: FileView, count: number): readonly Effect[] {
  if (count <= 0) return [{ type: 'touched', path: view.path }];
  return [{ type: 'viewed', view: { ...view, lines: firstLines(view.lines, count) } }];
}
