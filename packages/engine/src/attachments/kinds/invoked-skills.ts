/** Skills that were loaded before the window began: their texts again, the newest first. Pushed, it marks a skill that a person typed. */
import type { Id, Json } from '../../content/content.js';
import type { Fold } from '../../transcript/fold.js';
import type { Effect } from '../../transcript/records.js';
import { defineAttachment, type Room } from '../contract.js';
import { fitting, member, strings } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { charactersIn, fitLines } from '../parts/room.js';
import { invocationsIn, skillInvoked, type SkillInvocation } from '../parts/skill-effects.js';

type Told = {
  /** By name, oldest first; `at`: the place in the chain. */
  readonly all: Map<string, { readonly invocation: SkillInvocation; readonly at: number }>;
  /** Where a kept tail may begin. */
  readonly places: Map<Id, number>;
  /** Places in the chain so far, and the first one that is still in the window. */
  at: number;
  from: number;
};
/** `text`: null when it is not told again: it stands in the prompt, or there is no room for it. */
type Skill = { readonly invocation: SkillInvocation; readonly text: string | null };
type Data = { readonly again: boolean; readonly skills: readonly Skill[] };

/** Tokens of all texts, and of each. */
const ALL = 25_000;
const EACH = 5_000;
const INTRO = 'These skills were loaded earlier in this session. What they say still counts for the work they were loaded for.';

export const invokedSkills = defineAttachment({
  kind: 'invoked_skills',
  version: 1,
  needs: ['blobs'],
  group: 'thread',
  wait: 'must',
  trust: 'user',
  tool: 'Skill',
  again: 'again',
  told: invokedFold(),
  decode(data) {
    const told = strings(member(data, 'names'));
    return told === undefined ? undefined : { names: told };
  },
  async collect(_moment, told, { blobs }) {
    const hidden = [...told.all.values()].filter(({ at }) => at < told.from).reverse();
    if (hidden.length === 0) return { type: 'nothing' };
    const skills: Skill[] = [];
    let characters = charactersIn({ tokens: ALL });
    for (const { invocation } of hidden) {
      const text = characters > 0 ? await blobs.get(invocation.digest) : null;
      characters -= Math.min(text?.length ?? 0, charactersIn({ tokens: EACH }));
      skills.push({ invocation, text });
    }
    return { type: 'new', data: { again: true, skills } };
  },
  render(data: Data, room) {
    if (!data.again) return { content: [] };
    const { parts, left, cut } = tell(data, room);
    const others = left.length === 0 ? '' : `Loaded before, and not repeated: ${left.join(', ')}. Load one again when it is needed.`;
    const text = [INTRO, ...parts, others].filter(Boolean).join('\n\n');
    return { content: [{ type: 'text', text }], ...(cut === '' ? {} : { cut }) };
  },
  keep: ({ skills }) => ({ names: fitting(skills.map(({ invocation }) => invocation.name)) }),
  effects: (data, room) => (data.again ? tell(data, room).effects : data.skills.map(({ invocation }) => skillInvoked(invocation))),
  title: ({ again, skills }) => `${again ? 'skills again' : 'skill'}: ${names(skills.map(({ invocation }) => invocation.name))}`,
  reason: ({ again }) => (again ? 'loaded before this window began' : 'the person typed it'),
});

/** What `thread.attach('invoked_skills', …)` takes for a skill whose text stands in the prompt that follows. */
export function typedSkill(invocation: SkillInvocation): Json {
  return { again: false, skills: [{ invocation: { ...invocation }, text: null }] };
}

function invokedFold(): Fold<Told> {
  return {
    name: 'invoked-skills',
    scope: 'chain',
    on: ['user', 'assistant', 'tool_result', 'attachment', 'compact_boundary'],
    initial: () => ({ all: new Map(), places: new Map(), at: 0, from: 0 }),
    step(state, record) {
      state.at++;
      if (record.type === 'compact_boundary') {
        state.from = (record.keepFrom === null ? undefined : state.places.get(record.keepFrom)) ?? state.at;
        for (const [id, at] of state.places) if (at < state.from) state.places.delete(id);
      } else if (record.type === 'user' || record.type === 'assistant') state.places.set(record.id, state.at);
      for (const invocation of invocationsIn(record)) {
        state.all.delete(invocation.name);
        state.all.set(invocation.name, { invocation, at: state.at });
      }
      return state;
    },
  };
}

function tell({ skills }: Data, room: Room): { parts: string[]; left: string[]; cut: string; effects: Effect[] } {
  let characters = Math.min(charactersIn(room), charactersIn({ tokens: ALL }));
  const parts: string[] = [];
  const left: string[] = [];
  const short: string[] = [];
  const effects = skills.map(({ invocation, text }) => {
    const { name } = invocation;
    const most = Math.min(characters, charactersIn({ tokens: EACH }));
    // A few lines of a skill would read like all of it.
    if (text === null || (most < text.length && most < 1_000)) {
      left.push(name);
      const { hooks: _hooks, denies: _denies, ...named } = invocation;
      return skillInvoked({ ...named, grants: [], whole: false });
    }
    const fit = fitLines(text, { characters: most, rest: `loading ${name} again gives the whole` });
    characters -= fit.text.length;
    parts.push(fit.text);
    if (fit.left > 0) short.push(name);
    // What a skill allows and denies was for the turn it was loaded in.
    const { denies: _denies, ...kept } = invocation;
    return skillInvoked({ ...kept, grants: [], whole: fit.left === 0 });
  });
  const cut = [short.length > 0 ? `cut: ${short.join(', ')}` : '', left.length > 0 ? `by name only: ${left.join(', ')}` : ''];
  return { parts, left, cut: cut.filter(Boolean).join('; '), effects };
}
