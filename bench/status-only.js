/** The floor of a look at many files: a process that only asks git for the status of its folder, and waits for the answer. */
import { spawn } from 'node:child_process';

spawn('git', ['--no-optional-locks', 'status', '--short'], { stdio: ['ignore', 'ignore', 'inherit'] }).on('close', (status) => {
  process.exitCode = status ?? 1;
});
