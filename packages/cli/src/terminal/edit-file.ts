/** Opens a file in the person's editor, which has the terminal to itself meanwhile. */
import { spawn } from 'node:child_process';

/** Gives what went wrong, if something did. `VISUAL`, then `EDITOR`, may be a command with arguments; default `vi`. */
export function editFile(path: string, env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  const child = spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, path], { stdio: 'inherit', env });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`${editor}: ${error.message}`));
    child.on('close', (status, signal) => resolve(status === 0 ? undefined : `${editor} ended with ${signal ?? `status ${status}`}`));
  });
}
