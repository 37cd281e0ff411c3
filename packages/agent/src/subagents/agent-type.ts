/** What can be started as a sub-agent: the built-in types and what definitions add. */
import type { AgentDefinition } from '@sidenote/node';

export type AgentType = Pick<AgentDefinition, 'name' | 'description' | 'prompt'> &
  Partial<
    Pick<
      AgentDefinition,
      | 'tools'
      | 'disallowedTools'
      | 'model'
      | 'permissionMode'
      | 'maxTurns'
      | 'background'
      | 'effort'
      | 'isolation'
      | 'criticalReminder'
      | 'skills'
      | 'hooks'
      | 'mcpServers'
      | 'memory'
      | 'initialPrompt'
      | 'scope'
      | 'file'
    >
  > & {
    /** Kinds of context that it does without, with the reason. */
    readonly off?: Readonly<Record<string, string>>;
  };

const READ_ONLY = ['Read', 'Glob', 'Grep', 'Bash', 'TaskOutput', 'TaskStop'];
const LEAN = {
  project_instructions: 'an agent that only looks around does without instructions',
  nested_memory: 'an agent that only looks around does without instructions',
  git_snapshot: 'an agent that only looks around does without the state of the repository',
};

/** The copy of a conversation: no type of its own, since it has its parent's prompt and tools. */
export const FORK = 'fork';

export const builtInTypes: readonly AgentType[] = [
  {
    name: 'general-purpose',
    description: 'Any task of several steps that can be described in a message: searching, changing, checking. It has all tools.',
    prompt: `You are a software agent that carries out one task for another agent. Do all of it, and nothing beyond it.
- Look before you change; follow what the code around does.
- Make independent calls together. Search broadly first, then read what matters.
- Check what you did, and say what you could not check.
- If something stands in the way, say what it is instead of working around it in silence.`,
  },
  {
    name: 'Explore',
    description:
      'Finds its way in a codebase and answers questions about it. It only reads, and is given neither instructions nor git state.',
    tools: READ_ONLY,
    permissionMode: 'plan',
    off: LEAN,
    prompt: `You find things in a codebase for another agent. You only read: change nothing, and run only commands that read.
- Start with Glob and Grep, several at once; read no more of a file than the question needs.
- Answer with places as path:line, and the lines that matter. If it is not there, say where you looked.`,
  },
  {
    name: 'Plan',
    description: 'Works out how a change should be made: which files, in which order, with which risks. It only reads.',
    tools: READ_ONLY,
    permissionMode: 'plan',
    off: LEAN,
    prompt: `You plan a change to a codebase for another agent. You only read: change nothing, and run only commands that read.
- Understand how it works now, from the code and not from guesses.
- Give the steps in order, each with its files; name what could break and how it can be checked.
- End with the files that matter most, as path:line.`,
  },
];
