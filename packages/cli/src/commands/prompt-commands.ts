/** Slash commands that become a prompt: skills and commands from files, and what servers offer. Looked for when they are typed. */
import type { Content } from '@sidenote/engine';

export type PromptCommand = {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** What may follow the name. */
  readonly hint?: string;
  /** It is a folder with a `SKILL.md`. */
  readonly isSkill?: boolean;
};

/** What goes to the model in place of the typed words, or why nothing does. */
export type CommandPrompt =
  /** `own`: what of it opens files and names agents. A text that comes from elsewhere must not. */
  | { readonly type: 'prompt'; readonly content: readonly Content[]; readonly own: readonly string[] }
  | { readonly type: 'refused'; readonly text: string };

export interface PromptCommands {
  list(): Promise<readonly PromptCommand[]>;
  /** Undefined: there is none of this name. */
  run(name: string, args: string, signal: AbortSignal): Promise<CommandPrompt | undefined>;
}

/** The first one that knows a name has it. */
export function joinedCommands(sources: readonly PromptCommands[]): PromptCommands {
  return {
    list: async () => (await Promise.all(sources.map((source) => source.list()))).flat(),
    async run(name, args, signal) {
      for (const source of sources) {
        const prompt = await source.run(name, args, signal);
        if (prompt !== undefined) return prompt;
      }
      return undefined;
    },
  };
}
