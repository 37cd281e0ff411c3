/** `!command`: runs in the working directory, and is told to the model with the person's next words. */
import { spawn } from 'node:child_process';
import type { Content } from '@sidenote/engine';

/** Characters of output that are kept for the person and for the model: the end says most. */
const KEPT = 20_000;

export type Ran = { readonly command: string; readonly output: string; readonly status: string };

/** Standard output and standard error together, in the order they came. The whole process group ends with `signal`. */
export function runShell(command: string, options: { readonly cwd: string; readonly signal: AbortSignal }): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, cwd: options.cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let cut = false;
    const take = (text: string): void => {
      output += text;
      if (output.length > KEPT) {
        output = output.slice(-KEPT);
        cut = true;
      }
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take);
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It ended by itself meanwhile.
      }
    };
    options.signal.addEventListener('abort', kill, { once: true });
    const end = (status: string): void => {
      options.signal.removeEventListener('abort', kill);
      resolve({ command, output: cut ? `[only the last ${KEPT} characters]\n${output}` : output, status });
    };
    child.on('error', (error) => end(error.message));
    child.on('close', (code, signal) => end(signal === null ? `exit ${code ?? 0}` : `ended by ${signal}`));
  });
}

/** What the model is told: it stands before the person's words, in the same message. */
export function shellNote(ran: readonly Ran[]): Content[] {
  return ran.map(({ command, output, status }) => ({
    type: 'text',
    text: `I ran \`${command}\` myself (${status}). ${output.trim() === '' ? 'It printed nothing.' : `Its output:\n${output.trimEnd()}`}`,
  }));
}
