/** What an agent remembers: the folder that its definition asks for, told at its opening and written by it. */
import { exactly, memorySection, type AgentType, type Workplace } from '@sidenote/agent';
import type { Ports } from '@sidenote/engine';
import { agentMemoryFolder, memoryIndex, staysWithin, withMemoryIndexes } from '@sidenote/node';
import type { Setup } from './set-up.js';

type Instructions = NonNullable<Ports['instructions']>;

export type AgentMemory = Required<Pick<Workplace, 'sections' | 'alsoTools'>> & {
  /** Absolute. */
  readonly path: string;
  /** Whether its files are written without a question. */
  readonly mayWrite: boolean;
  /** Instructions with its index behind them. */
  told(instructions: Instructions): Instructions;
};

/** Undefined: it has none. A string: why it goes without the one that it asks for. */
export function agentMemory({ name, memory: scope }: AgentType, setup: Setup): AgentMemory | string | undefined {
  if (scope === undefined) return undefined;
  const { io, configDir, memories, trusted } = setup;
  if (memories.off !== undefined) return memories.off;
  const folder = agentMemoryFolder({ name, scope }, { cwd: io.cwd, configDir });
  const { path } = folder;
  if (!staysWithin(folder)) return `${path} leads out of ${folder.within}`;
  return {
    path,
    mayWrite: scope !== 'project' || trusted,
    told: (instructions) => withMemoryIndexes(instructions, () => memoryIndex(folder)),
    sections: [memorySection(path, `what the agent ${name}, which you are, should know when it works again`)],
    // Where its definition lists tools, these are for its memories alone.
    alsoTools: ['Read', 'Write', 'Edit'].map((tool) => `${tool}(${exactly(path)}/**)`),
  };
}
