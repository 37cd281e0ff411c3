/** From arguments to an exit status: chooses what runs, and loads only that. */
import { parseFlags, switched, text, type Flags } from './flags/parse.js';
import { notice, type Io } from './io.js';
import { UsageError } from './usage-error.js';

/** @throws {UsageError} for wrong use; other errors for what could not be done. */
export async function run(io: Io): Promise<number> {
  const flags = parseFlags(io.args);
  if (switched(flags, 'help')) return show(io, (await import('./help.js')).help());
  if (switched(flags, 'version')) return show(io, `${(await import('./version.js')).VERSION}\n`);
  switch (flags.command) {
    case 'context':
      return (await import('./commands/context/dry-run.js')).dryRun(io, flags);
    case 'sessions':
      return (await import('./commands/session-list.js')).listSessions(io, flags);
    case 'doctor':
      return (await import('./commands/doctor.js')).doctor(io, flags);
    case 'chat':
      return chat(io, flags);
  }
}

function show(io: Io, words: string): number {
  io.stdout.write(words);
  return 0;
}

async function chat(io: Io, flags: Flags): Promise<number> {
  const { demoAsked } = await import('./demo/asked.js');
  const demo = demoAsked(io, flags);
  if (demo.type === 'unasked') notice(io, demo.line);
  if (demo.type !== 'no') return (await import('./demo/demo.js')).runDemo(io);
  if (switched(flags, 'print')) {
    const { print } = await import('./print/print.js');
    return print(io, flags, async () => (await import('./assemble/assemble.js')).assemble(io, flags, {}));
  }
  if (!io.stdin.isTTY || !io.stdout.isTTY) {
    throw new UsageError('no terminal here: use sidenote -p "prompt" for a run without one');
  }
  return (await import('./terminal/interactive.js')).interactive(io, flags, text(flags, 'resume'));
}
