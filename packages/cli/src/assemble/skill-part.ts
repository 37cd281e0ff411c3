/** Skills as a part of a session: the listing's source, the tool that loads them, and what a person may type. */
import { createSkillLoader, forkSkill, skillTool, type ForkedSkill, type SkillLoader } from '@sidenote/agent';
import { skillsInWindowFold, typedSkill, type Id, type ToolOutcome } from '@sidenote/engine';
import { envNumber, fileMentions, isWithin, realPathOf, resolveFrom, SkillLibrary, skillsPort } from '@sidenote/node';
import type { CommandPrompt, PromptCommands } from '../commands/prompt-commands.js';
import type { Part, PartOptions } from './part.js';
import type { Setup } from './set-up.js';
import { sourcesOf } from './setting-sources.js';

/** Share of the window that a listing may take, and the characters of a token in prose. */
const SHARE = 0.01;
const CHARACTERS = 4;

/** Nothing is looked for before something is asked. */
export function skillPart(options: PartOptions): Part {
  const { setup, permissions, folder, id } = options;
  const { io } = setup;
  const library = skillLibrary(setup);
  const loader = createSkillLoader({
    library,
    permissions,
    environment: { cwd: io.cwd, env: io.env, home: io.home, outputDir: folder },
    sessionId: id,
    tell: options.tell,
  });
  return {
    ports: { skills: skillsPort(library, { room: () => roomFor(setup, options.model) }) },
    tools: [skillTool(loader, options)],
    commands: commandsOf(options, library, loader),
  };
}

/** What settings and flags say of skills; the lint shares it. */
export function skillLibrary(setup: Setup): SkillLibrary {
  const { io, loaded, trusted, bare, flags, configDir } = setup;
  const { skillOverrides } = loaded.settings;
  return new SkillLibrary({
    cwd: io.cwd,
    home: io.home,
    env: { ...io.env, SIDENOTE_CONFIG_DIR: configDir },
    trusted,
    added: setup.added,
    bare,
    ...(bare ? {} : { sources: sourcesOf(flags) }),
    ...(skillOverrides === undefined ? {} : { overrides: skillOverrides }),
  });
}

/** Characters of a listing: the variable, else a share of the model's window. */
function roomFor({ io, loaded, profile }: Setup, model: string): number {
  const given = envNumber(io.env, 'SLASH_COMMAND_TOOL_CHAR_BUDGET');
  return given ?? Math.floor(profile(model).window * (loaded.settings.skillListingBudgetFraction ?? SHARE) * CHARACTERS);
}

/** The typed words stay what was said; the text of the skill stands behind them. */
function commandsOf(options: PartOptions, library: SkillLibrary, loader: SkillLoader): PromptCommands {
  const { session: opened, setup, tell } = options;
  const touched = (): readonly string[] => opened()?.main.transcript.read(skillsInWindowFold).touched.paths ?? [];
  return {
    async list() {
      const { skills } = await library.read(touched());
      return [...skills.values()]
        .filter(({ forPerson }) => forPerson)
        .map(({ name, type, description, hint }) => ({
          name,
          summary: description.replace(/\s+/g, ' '),
          isSkill: type === 'skill',
          ...(hint === '' ? {} : { hint }),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async run(name, args, signal) {
      const session = opened();
      if (session === undefined) return undefined;
      const { main, blobs } = session;
      const loaded = await loader.load({ name, args, by: 'person', transcript: main.transcript, blobs, signal });
      if (loaded.type !== 'loaded') return loaded.type === 'missing' ? undefined : { type: 'refused', text: loaded.why };
      const words = `/${loaded.skill.name}${args === '' ? '' : ` ${args}`}`;
      if (loaded.skill.agent !== undefined) return forked(loaded, { words, options, parent: main.id, signal });
      main.attach('invoked_skills', typedSkill(loaded.invocation));
      const texts = [words, loaded.text];
      const outside = loaded.skill.isTrusted ? [] : await mentionsOutside(loaded.text, setup.io, await library.root());
      if (outside.length > 0)
        tell(
          `${words}: it mentions files outside the project (${outside.join(', ')}), and this folder is not trusted: no file of it is opened`,
        );
      return { type: 'prompt', content: texts.map((text) => ({ type: 'text', text })), own: outside.length > 0 ? [words] : texts };
    },
  };
}

type Typed = { readonly words: string; readonly options: PartOptions; readonly parent: Id; readonly signal: AbortSignal };

/** The agent works first; its answer goes to the model with the words. */
async function forked(loaded: ForkedSkill, { words, options, parent, signal }: Typed): Promise<CommandPrompt> {
  options.tell(`${words} is the task of an agent (${loaded.skill.agent}): its answer comes when it is done`);
  const { content, isError } = await forkSkill(loaded, { agents: options.agents(), parent, signal, report: () => undefined });
  if (signal.aborted) return { type: 'refused', text: `${words} was interrupted` };
  if (isError === true) return { type: 'refused', text: textIn(content) };
  const told = `The skill ran as the task of an agent. What came of it:\n\n${textIn(content)}`;
  return { type: 'prompt', content: [words, told].map((text) => ({ type: 'text', text })), own: [words] };
}

const textIn = (content: ToolOutcome['content']): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** What a text would open that lies outside of a folder: it may be the person's secrets. */
async function mentionsOutside(text: string, { cwd, home }: Setup['io'], folder: string): Promise<readonly string[]> {
  const named = fileMentions({ cwd, home })
    .find(text)
    .map(({ raw, path }) => ({ raw, path: resolveFrom(cwd, path, home) }));
  const real = await Promise.all(named.map(async ({ raw, path }) => ({ raw, path: await realPathOf(path) })));
  return real.filter(({ path }) => !isWithin(folder, path)).map(({ raw }) => raw);
}
