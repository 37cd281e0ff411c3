/** The system prompt of a sub-agent: what it is, what the client's notes are, where it works, and who reads its answer. */
import type { Section } from '@sidenote/engine';
import { dynamicSections, notesSection, type Environment } from '../prompt/default-prompt.js';
import { builtInTypes, type AgentType } from './agent-type.js';

const ANSWER: Section = {
  name: 'answer',
  text: `# Your answer
Your last message goes to the agent that gave you the task; it sees nothing else of your work, and the person may never see it. Put into it what was asked for, what you found or changed (places as \`path:line\`), and what is left open. No greeting, no offers.`,
  static: true,
};

/** Static where it is the same for everyone: the built-in types. */
export function agentPrompt({ name, prompt }: AgentType, environment: Environment): readonly Section[] {
  const own: Section = { name: 'agent', text: prompt, static: builtInTypes.some((type) => type.name === name && type.prompt === prompt) };
  const body = prompt.trim() === '' ? [] : [own];
  const fixed = own.static ? [...body, notesSection(), ANSWER] : [notesSection(), ANSWER, ...body];
  return [...fixed, ...dynamicSections(environment)];
}

/**
 * The prompt of a session that runs as this agent. `alone`: it stands for the default prompt; else behind it, which has the
 * notes and the surroundings already. Empty for a type without a prompt.
 */
export function chosenPrompt({ prompt }: AgentType, environment: Environment, { alone }: { readonly alone: boolean }): readonly Section[] {
  if (prompt.trim() === '') return [];
  const own: Section = { name: 'agent', text: prompt, static: false };
  return alone ? [notesSection(), own, ...dynamicSections(environment)] : [own];
}
