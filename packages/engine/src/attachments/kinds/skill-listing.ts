/** The skills that can be loaded: all of them once per window, then what is new, changed or gone. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind, type Room } from '../contract.js';
import type { ListedSkill } from '../ports.js';
import { member } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { charactersIn } from '../parts/room.js';
import { listedIn, skillsListed } from '../parts/skill-effects.js';
import { skillLines, type SkillLines } from '../parts/skill-lines.js';
import { nothingTouched, touch, touchedNow, type Touched } from '../parts/touched.js';

type Told = {
  /** By name: digest of what was said. */
  readonly digests: Map<string, string>;
  readonly touched: Touched;
  /** Characters of all listings of this window. */
  characters: number;
};
type Fresh = ListedSkill & { readonly digest: string };
type Data = {
  readonly fresh: readonly Fresh[];
  readonly gone: readonly string[];
  readonly isFirst: boolean;
  readonly characters: number;
};

const INTRO =
  'Skills: instructions for certain kinds of tasks, kept in files. When a task is of such a kind, load the skill with the Skill tool before you begin.';
/** Share of the whole room that a later listing may always take. */
const LATER = 0.1;
/** Characters that tell changed descriptions apart. */
const DIGEST = 12;
/** Names in a line for a person. */
const MOST_NAMED = 40;

export const skillListing = defineAttachment({
  kind: 'skill_listing',
  version: 1,
  needs: ['skills', 'digest'],
  group: 'thread',
  wait: 'must',
  trust: 'user',
  tool: 'Skill',
  again: 'again',
  told: listingFold(),
  decode(data) {
    const characters = member(data, 'characters');
    return typeof characters === 'number' ? { characters } : undefined;
  },
  async collect(moment, told, { skills, digest }) {
    const reading = await skills.read(touchedNow(told.touched, moment.effects), moment.signal);
    if (moment.signal.aborted) return { type: 'unavailable', why: 'interrupted' };
    if (reading.type === 'unavailable') return reading;
    const notes = reading.notes === undefined ? {} : { notes: reading.notes };
    const all = reading.value.map((skill) => ({ ...skill, digest: digest(skill.description).slice(0, DIGEST) }));
    const fresh = all.filter((skill) => told.digests.get(skill.name) !== skill.digest);
    const there = new Set(all.map(({ name }) => name));
    const gone = [...told.digests.keys()].filter((name) => !there.has(name));
    if (fresh.length === 0 && gone.length === 0) return { type: 'nothing', ...notes };
    const room = skills.room();
    const characters = Math.max(room - told.characters, Math.floor(room * LATER));
    return { type: 'new', data: { fresh, gone, isFirst: told.digests.size === 0, characters }, ...notes };
  },
  render(data: Data, room) {
    const { text, cut } = tell(data, room);
    return { content: [{ type: 'text', text }], ...(cut === undefined ? {} : { cut }) };
  },
  keep: (data) => ({
    count: data.fresh.length,
    gone: data.gone.length,
    characters: tell(data, { tokens: Number.MAX_SAFE_INTEGER }).characters,
  }),
  effects: ({ fresh, gone }) => [
    skillsListed(Object.fromEntries([...fresh.map(({ name, digest }) => [name, digest]), ...gone.map((name) => [name, null])])),
  ],
  title({ fresh, gone, isFirst }) {
    if (isFirst) return `skills: ${names(fresh.map(({ name }) => name))}`;
    const parts = [
      fresh.length > 0 ? `new or changed: ${names(fresh.map(({ name }) => name))}` : '',
      gone.length > 0 ? `gone: ${names(gone)}` : '',
    ];
    return `skills ${parts.filter(Boolean).join('; ')}`;
  },
  reason: ({ isFirst }) => (isFirst ? 'not told yet in this window' : 'the skills on disk changed, or others came into reach'),
});

function listingFold(): Fold<Told> {
  return {
    name: 'skill-listing',
    scope: 'window',
    on: ['tool_result', 'attachment'],
    initial: () => ({ digests: new Map(), touched: nothingTouched(), characters: 0 }),
    step(state, record) {
      touch(state.touched, record);
      if (!isKind(record, 'skill_listing')) return state;
      for (const [name, digest] of listedIn(record)) {
        if (digest === null) state.digests.delete(name);
        else state.digests.set(name, digest);
      }
      const characters = member(record.data, 'characters');
      state.characters += typeof characters === 'number' ? characters : 0;
      return state;
    },
  };
}

function tell({ fresh, gone, isFirst, characters }: Data, room: Room): { text: string; characters: number; cut?: string } {
  const limit = charactersIn(room);
  const { lines, shortened, bare } = skillLines(fresh, Math.min(characters, limit));
  const list = lines.join('\n');
  const head = isFirst ? INTRO : fresh.length > 0 ? 'These skills are new or have changed:' : '';
  const removed = gone.length === 0 ? '' : `These skills are gone: ${gone.join(', ')}.`;
  const text = [head, noteOf({ shortened, bare }, fresh.length), list, removed].filter(Boolean).join('\n');
  const cut = cutOf({ shortened, bare });
  return { text, characters: list.length, ...(cut === undefined ? {} : { cut }) };
}

type Cut = Pick<SkillLines, 'shortened' | 'bare'>;

/** For the model: a line that was cut looks like a whole one. */
function noteOf({ shortened, bare }: Cut, all: number): string {
  const parts = [
    shortened.length > 0 ? `${shortened.length} of ${all} descriptions are shortened` : '',
    bare.length > 0 ? `${bare.length} of ${all} skills stand here by name only` : '',
  ].filter(Boolean);
  return parts.length === 0 ? '' : `(For want of room ${parts.join(', and ')}; loading a skill gives its whole text.)`;
}

/** For the person. */
function cutOf({ shortened, bare }: Cut): string | undefined {
  const parts = [
    shortened.length > 0 ? `descriptions shortened: ${some(shortened)}` : '',
    bare.length > 0 ? `by name only: ${some(bare)}` : '',
  ].filter(Boolean);
  return parts.length === 0 ? undefined : `${parts.join('; ')}; the setting skillListingBudgetFraction gives more room`;
}

function some(all: readonly string[]): string {
  const more = all.length - MOST_NAMED;
  return more > 0 ? `${all.slice(0, MOST_NAMED).join(', ')} and ${more} more` : all.join(', ');
}
