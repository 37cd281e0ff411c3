/** The system prompt of a session: the agent's own or the one that was given, with what machine, folder and settings add. */
import { existsSync } from 'node:fs';
import { platform, release } from 'node:os';
import { join } from 'node:path';
import { chosenPrompt, coordinatorPrompt, defaultPrompt, memorySection, type Environment } from '@sidenote/agent';
import { effectivePrompt, STYLE_SECTION, type Section, type SystemSource } from '@sidenote/engine';
import { projectRoot } from '@sidenote/node';
import { directoriesOf } from './permission-options.js';
import type { AgentMemory } from './agent-memory.js';
import type { Setup } from './set-up.js';
import type { SessionStyles } from './styles.js';

const PROACTIVE = section(
  'proactive',
  '# Initiative\nThe person is away or busy. When a task is done, go on with the next step that evidently serves its aim, and say what you did and why. Stop where a choice is theirs, where something is hard to undo, or when nothing useful is left.',
);

/** What a prompt says of the surroundings, for any model; `cwd`: of another folder. */
export async function surroundings({ io, loaded }: Setup): Promise<(model: string, cwd?: string) => Environment> {
  const isRepository = existsSync(join(await projectRoot(io.cwd), '.git'));
  const { language } = loaded.settings;
  return (model, cwd = io.cwd) => ({
    cwd,
    isRepository,
    platform: platform(),
    osVersion: release(),
    shell: io.env['SHELL'] || '/bin/sh',
    model,
    ...(language === undefined ? {} : { language }),
  });
}

export type PromptOptions = {
  readonly setup: Setup;
  /** Those that the model is offered. */
  readonly tools: readonly string[];
  readonly styles: SessionStyles;
  /** Of the agent that the session runs as: in place of the session's own. */
  readonly memory: AgentMemory | undefined;
};

/** Rendered once per prefix, so that it names the model that answers. */
export async function systemPrompt({ setup, tools, styles, memory: own }: PromptOptions): Promise<SystemSource> {
  const { replacePrompt, appendPrompt, proactive, memories, agent, coordinator } = setup;
  const environmentOf = await surroundings(setup);
  const directories = directoriesOf(setup);
  const further = directories.length === 0 ? [] : section('directories', `# Further directories\n${directories.join('\n')}`);
  const ofSession = memories.off === undefined && own === undefined ? [memorySection(memories.places.own.path)] : [];
  const memory = tools.includes('Write') ? [...ofSession, ...(own?.sections ?? [])] : [];
  return async ({ model }) => {
    const environment = environmentOf(model);
    const { text, keepCoding: coding } = await styles.current();
    const style = text === '' ? [] : section(STYLE_SECTION, text);
    return effectivePrompt({
      base: [...defaultPrompt(environment, { coding }), ...further, ...memory, ...(proactive ? PROACTIVE : []), ...style],
      proactive,
      ...(coordinator ? { coordinator: coordinatorPrompt(environment) } : {}),
      ...(agent === undefined
        ? {}
        : { agent: agentSections(chosenPrompt(agent, environment, { alone: !proactive }), proactive || own === undefined ? [] : memory) }),
      ...(replacePrompt === undefined ? {} : { custom: replacePrompt.trim() === '' ? [] : section('custom', replacePrompt) }),
      ...(appendPrompt === undefined ? {} : { append: section('appended', appendPrompt) }),
    });
  };
}

/** A prompt that stands for the default one says what this one would have said of memories. */
function agentSections(prompt: readonly Section[], memory: readonly Section[]): readonly Section[] {
  return prompt.length === 0 ? [] : [...prompt, ...memory];
}

function section(name: string, text: string): readonly Section[] {
  return [{ name, text, static: false }];
}
