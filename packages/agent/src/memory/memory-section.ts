/** What the system prompt says of memories: where they are, what to write down, and how. */
import type { Section } from '@sidenote/engine';

/** `folder`: absolute. `keeps`: what for. Only for a model that can write files. */
export function memorySection(folder: string, keeps = 'what later sessions of this project should know'): Section {
  return {
    name: 'memory',
    static: false,
    text: `# Memory
${folder} keeps ${keeps}. You may write there without asking.
- One subject per file, \`name.md\`, beginning with front matter: \`name\`, \`description\` (one line, with the words someone would ask with) and \`type\` (user, feedback, project or reference).
- MEMORY.md is the index, told when a session begins, its first 200 lines or 25 KB: one line per file, no details.
- Write down what was hard to find out and will hold: how the person wants things done, decisions and their reasons, where things are outside this repository. Also when asked to remember something; when asked to forget it, take it out.
- Leave out what the code, its history or instruction files say, what is only true today, and secrets.
- Look for a memory to correct before you add one. A memory can be out of date: check before you rely on it.`,
  };
}
