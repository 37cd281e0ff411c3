/** For tests: a port of skills that are what they are now. */
import type { ListedSkill, SkillsPort } from '../ports.js';

export function skillsPort(skills: readonly ListedSkill[], room = 8_000): SkillsPort & { readonly asked: (readonly string[])[] } {
  const asked: (readonly string[])[] = [];
  return {
    asked,
    async read(touched) {
      asked.push(touched);
      return { type: 'ready', value: skills, version: '1' };
    },
    room: () => room,
    search: async (words, among) => among.filter(({ name }) => words.includes(name)).map(({ name }) => name),
  };
}
