/** The folder that a thread works in, as the kind `cwd_change` compares it with what its system prompt says. */
import type { Ports } from '@sidenote/engine';
import { ENVIRONMENT, folderLine } from './default-prompt.js';

export function folderPort(cwd: string): Required<Pick<Ports, 'folder'>> {
  return {
    folder: {
      cwd,
      isNamedIn(system) {
        const environment = system.filter(({ name }) => name === ENVIRONMENT);
        // A prompt that names no folder has none to correct.
        return environment.length === 0 || environment.some(({ text }) => text.split('\n').includes(folderLine(cwd)));
      },
    },
  };
}
