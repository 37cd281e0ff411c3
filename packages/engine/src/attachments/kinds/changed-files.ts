/** What others did to files that the model has seen: one notice, bounded, each change once. */
import type { Effect, FileView } from '../../transcript/records.js';
import { defineAttachment } from '../contract.js';
import type { FileChange } from '../ports.js';
import { fitting, member } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { charactersIn } from '../parts/room.js';
import { gone, viewsFold } from '../parts/views.js';

type Data = { readonly changes: readonly FileChange[]; readonly mass: boolean };

/** From so many changed files on they are told as one event, by name, without what changed in each. */
const MASS = 20;
/** Names of a mass change. */
const MOST_NAMES = 60;

const INTRO = 'Since you saw them, files were changed outside your tools (by the user, a formatter or a command):';
const MASS_INTRO =
  'Many files that you saw were changed outside your tools at once, as by a branch switch. What you know of the edited ones is out of date:';
const MASS_INSTRUCTIONS = 'Instructions that you were given changed too:';

export const changedFiles = defineAttachment({
  kind: 'changed_files',
  version: 1,
  needs: ['changes', 'blobs'],
  group: 'thread',
  // Told one step late, a change is told too late: the model would have acted on the old text.
  wait: 'must',
  trust: 'third-party',
  told: viewsFold,
  decode: (data) => (Array.isArray(member(data, 'changes')) ? data : undefined),
  async collect(moment, told, { changes, blobs }) {
    // What a mention has just shown is up to date.
    const shown = new Set(moment.effects.flatMap((effect) => (effect.type === 'viewed' ? [effect.view.path] : [])));
    const views = [...told.values()].filter((view) => !shown.has(view.path));
    if (views.length === 0) return { type: 'nothing' };
    const found = await changes.since(views, blobs, moment.signal);
    if (moment.signal.aborted) return { type: 'unavailable', why: 'interrupted' };
    if (found.length === 0) return { type: 'nothing' };
    return { type: 'new', data: { changes: found, mass: found.length >= MASS } };
  },
  render(data: Data, room) {
    const { summary, fitted, intro } = partsOf(data, charactersIn(room));
    const shown = fitted.length === 0 ? undefined : tellEach(fitted, intro);
    const told = [summary, shown].flatMap((part) => part ?? []);
    const cut = told.flatMap((part) => part.cut ?? []).join(', ');
    return { content: [{ type: 'text', text: told.map(({ text }) => text).join('\n\n') }], ...(cut === '' ? {} : { cut }) };
  },
  keep: ({ changes }) => ({
    count: changes.length,
    changes: fitting(changes.map(({ path, change, view }) => ({ path, change, digest: view?.digest ?? null }))),
  }),
  effects(data, room) {
    const { named, fitted } = partsOf(data, charactersIn(room));
    return [...named, ...fitted.map(seenOf)].flatMap(effectsOfChange);
  },
  title: ({ changes }) => `changed: ${names(changes.map(({ path }) => path))}`,
  reason: ({ changes }) => (changes.length === 1 ? 'it is not as the model saw it' : 'they are not as the model saw them'),
});

type Told = { readonly text: string; readonly cut?: string };
type Parts = { readonly named: readonly FileChange[]; readonly summary?: Told; readonly fitted: readonly Fit[]; readonly intro: string };

/** Of many changes only names are told; but instructions hold from now on, so what changed in them is told all the same. */
function partsOf({ changes, mass }: Data, characters: number): Parts {
  const isOrder = ({ change, view }: FileChange): boolean => change === 'edited' && view?.form === 'instructions';
  const named = mass ? changes.filter((change) => !isOrder(change)).map(withoutHunks) : [];
  if (named.length === 0) return { named, fitted: fitAll(changes, characters - INTRO.length), intro: INTRO };
  const summary = tellMass(named);
  const left = characters - summary.text.length - MASS_INSTRUCTIONS.length;
  return { named, summary, fitted: fitAll(changes.filter(isOrder), left), intro: MASS_INSTRUCTIONS };
}

/** Nothing of the new text was seen then. */
function withoutHunks(change: FileChange): FileChange {
  if (change.view === null || (change.change === 'renamed' && change.hunks.length === 0)) return change;
  return { ...change, hunks: [], view: { ...change.view, lines: [] } satisfies FileView };
}

function effectsOfChange({ path, view }: FileChange): readonly Effect[] {
  if (view === null) return [gone(path)];
  return view.path === path ? [{ type: 'viewed', view }] : [gone(path), { type: 'viewed', view }];
}

type Fit = { readonly change: FileChange; readonly line: string; readonly hunks: string; readonly fits: boolean };

/** Every file is named; hunks are given as long as there is room. */
function fitAll(changes: readonly FileChange[], characters: number): readonly Fit[] {
  const lines = changes.map((change) => ({ change, hunks: change.hunks.join('\n'), line: `${change.path} ${whatHappened(change)}` }));
  let left = characters - lines.reduce((sum, { line }) => sum + line.length + 2, 0);
  return lines.map((one) => {
    const fits = one.hunks.length <= left;
    if (fits) left -= one.hunks.length;
    return { ...one, fits: fits || one.hunks === '' };
  });
}

const seenOf = ({ change, fits }: Fit): FileChange => (fits ? change : withoutHunks(change));

function tellEach(fitted: readonly Fit[], intro: string): Told {
  const parts = fitted.map(({ change, line, hunks, fits }) => {
    if (hunks === '') return `${line}${noteOf(change)}.`;
    if (!fits) return `${line}; no room for the difference, read it again if it matters.`;
    return `${line}${change.note === undefined ? '' : ` (${change.note})`}:\n${hunks}`;
  });
  const text = [intro, ...parts].join('\n\n');
  const cut = fitted.filter(({ fits }) => !fits).map(({ change }) => change.path);
  return { text, ...(cut.length > 0 ? { cut: `the difference of ${cut.join(', ')}` } : {}) };
}

/** By what happened, the rarer first; names are capped, counts are not. */
function tellMass(changes: readonly FileChange[]): Told {
  let names = MOST_NAMES;
  let cut = 0;
  const parts = (['deleted', 'renamed', 'edited'] as const).flatMap((what) => {
    const some = changes.filter(({ change }) => change === what);
    if (some.length === 0) return [];
    const named = some.slice(0, names);
    names -= named.length;
    cut += some.length - named.length;
    const list = named.map((change) => `- ${change.path}${change.to === undefined ? '' : ` → ${change.to}`}`);
    if (some.length > named.length) list.push(`- and ${some.length - named.length} more`);
    return [`${some.length} ${what}:\n${list.join('\n')}`];
  });
  const text = [MASS_INTRO, ...parts].join('\n\n');
  return { text, ...(cut > 0 ? { cut: `${cut} names of changed files` } : {}) };
}

function whatHappened({ change, to }: FileChange): string {
  if (change === 'renamed') return `was renamed to ${to ?? 'another name'}`;
  return change === 'deleted' ? 'was deleted' : 'was edited';
}

/** Why there are no hunks. */
function noteOf({ change, note, changedLines }: FileChange): string {
  if (note !== undefined) return ` (${note})`;
  if (change !== 'edited') return '';
  return changedLines === undefined ? ', outside the lines that you saw' : ` (${changedLines} changed lines; read it again if it matters)`;
}
