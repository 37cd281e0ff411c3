/** `Skill`: loads the text of a skill, with its arguments filled in; one that stands in the window already is pointed to. */
import { skillGranted, skillInvoked, skillsInWindowFold } from '@sidenote/engine';
import { forkSkill } from '../subagents/fork-skill.js';
import type { Subagents } from '../subagents/subagents.js';
import type { SkillLoader } from '../skills/skill-loader.js';
import { inputOf, optional, text } from './input.js';
import { refused, said } from './outcome.js';
import type { Tool } from './tool.js';

export type SkillInput = { readonly skill: string; readonly args: string | undefined };

export type SkillToolOptions = {
  /** Starts the agents of skills whose text is a task. Undefined: there are none here. */
  readonly agents?: () => Subagents | undefined;
};

export function skillTool(skills: SkillLoader, { agents }: SkillToolOptions = {}): Tool<SkillInput> {
  const input = inputOf('Skill', { skill: text('its name, as listed'), args: optional(text()) });
  return {
    spec: {
      name: 'Skill',
      description: 'Load a listed skill: the result is instructions for the task at hand. Load it before you begin.',
      input_schema: input.schema,
    },
    // What a skill runs while it loads is judged command by command.
    access: 'read',
    parse: input.parse,
    title: ({ skill, args }) => `Skill ${skill}${args === undefined || args === '' ? '' : ` ${args}`}`,
    async run({ skill, args = '' }, { transcript, blobs, signal, thread, call, report }) {
      const name = skill.trim().replace(/^\//, '');
      const loaded = await skills.load({ name, args, by: 'model', transcript, blobs, signal });
      if (loaded.type !== 'loaded') return refused(loaded.why);
      if (loaded.skill.agent !== undefined)
        return forkSkill(loaded, {
          agents: agents?.(),
          parent: thread,
          signal,
          report: (agent, event) => report({ type: 'subagent-progressed', call, agent, event }),
        });
      const { invocation } = loaded;
      const known = transcript.read(skillsInWindowFold).loaded.get(invocation.name);
      if (known !== undefined && known.whole && known.args === args && known.digest === invocation.digest) {
        const { grants, denies = [] } = invocation;
        const effects = grants.length + denies.length === 0 ? {} : { effects: [skillGranted(invocation)] };
        return said(`The skill ${invocation.name} is loaded already: its text above is current. Follow it.`, effects);
      }
      return said(loaded.text, { effects: [skillInvoked(invocation)] });
    },
  };
}
