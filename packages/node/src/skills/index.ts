/** Skills and slash commands from files: found, ranked, searched, and made into text. */
export { SkillLibrary, type Catalogue, type SkillLookup, type SkillOptions, type SkillOverride } from './library.js';
export { renderSkill, type Injected, type RenderedSkill, type RenderOptions } from './render-skill.js';
export { skillsPort } from './skills-port.js';
export type { LeftSkill, Skill, SkillProblem, SkillScope } from './skill.js';
