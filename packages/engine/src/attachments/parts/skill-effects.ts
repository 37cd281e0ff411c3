/** What was told and loaded of skills, as effects of the type `skill`: a record's data would not hold hundreds of names. */
import type { Digest, Json } from '../../content/content.js';
import type { Fold } from '../../transcript/fold.js';
import type { Effect, TranscriptRecord } from '../../transcript/records.js';
import { member, strings } from './kept.js';
import { nothingTouched, touch, type Touched } from './touched.js';
import { effectsIn } from './views.js';

/** A skill whose text the model was given. */
export type SkillInvocation = {
  readonly name: string;
  readonly args: string;
  /** Of the text as it was given; it lies in the blob store. */
  readonly digest: Digest;
  /** Folder of its files. */
  readonly folder: string;
  /** Permission rules that are allowed until the turn ends. */
  readonly grants: readonly string[];
  /** Permission rules that are denied until the turn ends. Default: none. */
  readonly denies?: readonly string[];
  /** Hooks of its front matter, as whoever runs them reads them: they count while its text stands in the window. */
  readonly hooks?: Json;
  /** False when only a part of the text was given again. */
  readonly whole: boolean;
};

/** The effect of giving a skill's text. */
export function skillInvoked(invocation: SkillInvocation): Effect {
  return { type: 'skill', value: { type: 'invoked', ...invocation } };
}

/** The effect of asking once more for a skill that stands in the window: what it allows and denies counts for this turn, too. */
export function skillGranted({ grants, denies = [] }: Pick<SkillInvocation, 'grants' | 'denies'>): Effect {
  return { type: 'skill', value: { type: 'granted', grants, ...(denies.length === 0 ? {} : { denies }) } };
}

/** The effect of listing skills: by name the digest of what was said, null for those that are gone. */
export function skillsListed(digests: Readonly<Record<string, string | null>>): Effect {
  return { type: 'skill', value: { type: 'listed', digests } };
}

export function invocationsIn(record: TranscriptRecord): readonly SkillInvocation[] {
  return valuesIn(record, 'invoked').flatMap((value) => {
    const [name, args, digest, folder, hooks] = ['name', 'args', 'digest', 'folder', 'hooks'].map((field) => member(value, field));
    if (typeof name !== 'string' || typeof digest !== 'string') return [];
    const denies = strings(member(value, 'denies'));
    return [
      {
        name,
        args: typeof args === 'string' ? args : '',
        digest,
        folder: typeof folder === 'string' ? folder : '',
        grants: strings(member(value, 'grants')) ?? [],
        ...(denies === undefined ? {} : { denies }),
        ...(hooks === undefined ? {} : { hooks }),
        whole: member(value, 'whole') !== false,
      },
    ];
  });
}

export function listedIn(record: TranscriptRecord): readonly (readonly [name: string, digest: string | null])[] {
  return valuesIn(record, 'listed').flatMap((value) => {
    const digests = member(value, 'digests');
    if (typeof digests !== 'object' || digests === null || Array.isArray(digests)) return [];
    return Object.entries(digests).flatMap(([name, digest]) =>
      typeof digest === 'string' || digest === null ? [[name, digest] as const] : [],
    );
  });
}

function valuesIn(record: TranscriptRecord, type: string): readonly Json[] {
  return effectsIn(record).flatMap((effect) => (effect.type === 'skill' && member(effect.value, 'type') === type ? [effect.value] : []));
}

export type SkillsInWindow = {
  /** By name: the newest text of each that the model can see. */
  readonly loaded: Map<string, SkillInvocation>;
  readonly touched: Touched;
};

/** Fold: which skills' texts stand in the window, and which paths were touched, so that skills beside them can be found. */
export const skillsInWindowFold: Fold<SkillsInWindow> = {
  name: 'skills-in-window',
  scope: 'window',
  on: ['tool_result', 'attachment'],
  initial: () => ({ loaded: new Map(), touched: nothingTouched() }),
  step(state, record) {
    touch(state.touched, record);
    for (const invocation of invocationsIn(record)) state.loaded.set(invocation.name, invocation);
    return state;
  },
};

/** Fold: permission rules, allowing and denying ones, that skills brought since the last words of the person. */
export const skillGrantsFold: Fold<{ rules: readonly string[]; denies: readonly string[] }> = {
  name: 'skill-grants',
  scope: 'chain',
  on: ['user', 'tool_result', 'attachment'],
  initial: () => ({ rules: [], denies: [] }),
  step(state, record) {
    if (record.type === 'user') return record.origin === 'summary' ? state : { rules: [], denies: [] };
    const values = [...valuesIn(record, 'invoked'), ...valuesIn(record, 'granted')];
    const fresh = (field: 'grants' | 'denies') => values.flatMap((value) => strings(member(value, field)) ?? []);
    const [rules, denies] = [fresh('grants'), fresh('denies')];
    if (rules.length === 0 && denies.length === 0) return state;
    return { rules: [...state.rules, ...rules], denies: [...state.denies, ...denies] };
  },
};
