/** The port behind the listing of skills: what a library offers to the model. */
import type { SkillsPort } from '@sidenote/engine';
import type { Catalogue, SkillLibrary } from './library.js';
import { searchSkills } from './search.js';

/** `room`: characters of a listing. */
export function skillsPort(library: SkillLibrary, { room }: { readonly room: () => number }): SkillsPort {
  return {
    async read(touched) {
      const { skills, left, notes, version } = await library.read(touched);
      const value = [...skills.values()]
        .filter(({ forModel, inReach }) => forModel && inReach)
        .map(({ name, description, scope, place }) => ({ name, description, ...(scope === 'nested' ? { folder: place } : {}) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const said = [...notes, ...notesOf({ skills, left })];
      return { type: 'ready', value, version, ...(said.length === 0 ? {} : { notes: said }) };
    },
    room,
    search: (words, among) => searchSkills(words, among),
  };
}

/** What a person wants to hear of without asking: what was meant to be there and is not. */
function notesOf({ skills, left }: Pick<Catalogue, 'skills' | 'left'>): readonly string[] {
  const lost = left
    .filter(({ status }) => status !== 'off' && status !== 'shadowed')
    .map(({ name, path, reason }) => `the skill ${name} is left out: ${path}: ${reason}`);
  const broken = [...skills.values()].flatMap(({ path, problems }) =>
    problems.filter(({ severity }) => severity === 'error').map(({ line, message }) => `${path}:${line}: ${message}`),
  );
  return [...lost, ...broken].slice(0, 50);
}
