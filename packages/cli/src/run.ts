/** From arguments to an exit status: chooses what runs, and loads only that. */
import { parseFlags, switched, text, type Flags } from './flags/parse.js';
import { notice, type Io } from './io.js';
import { UsageError } from './usage-error.js';

/** @throws {UsageError} for wrong use; other errors for what could not be done. */
export async function run(io: Io): Promise<number> {
  // It has arguments of its own, a command line among them.
  if (io.args[0] === 'mcp') return (await import('./commands/mcp/mcp.js')).mcp(io);
  const flags = parseFlags(io.args);
  const asksHelp = switched(flags, 'help') || (io.args.length === 1 && io.args[0] === 'help');
  if (asksHelp) return show(io, (await import('./help.js')).help());
  if (switched(flags, 'version')) return show(io, `${(await import('./version.js')).VERSION}\n`);
  switch (flags.command) {
    case 'context': {
      const { earlyGit } = await import('./assemble/early-git.js');
      const git = earlyGit(io);
      return (await import('./commands/context/dry-run.js')).dryRun(io, flags, git);
    }
    case 'lint':
      return (await import('./commands/lint/lint.js')).lint(io, flags);
    case 'diff':
      return (await import('./commands/diff/diff.js')).diff(io, flags);
    case 'sessions':
      return (await import('./commands/sessions/sessions.js')).sessions(io, flags);
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
  const isPrint = switched(flags, 'print');
  const git = (await import('./assemble/early-git.js')).earlyGit(io);
  const { setUp } = await import('./assemble/set-up.js');
  const { createModels, ModelUnavailableError } = await import('./assemble/models.js');
  const setup = { ...(await setUp(io, flags)), git };
  const models = createModels(setup.io.env, { cwd: io.cwd, profile: setup.profile });
  if (isPrint) {
    if (setup.asked === 'demo') throw new UsageError('the demo plays by itself: sidenote --model demo');
    const { print } = await import('./print/print.js');
    const { assemble } = await import('./assemble/assemble.js');
    return print(setup.io, setup.flags, async (tell) => {
      const conversation = await assemble(setup, models, { notice: tell });
      // Nobody types first: what the request needs is loaded while git is still at work.
      models.adapter(conversation.model).prepare?.();
      return conversation;
    });
  }
  const picked = models.pick(setup.asked);
  const isStored = switched(flags, 'continue') || switched(flags, 'resume');
  const keyless = picked.type === 'no-key' && text(flags, 'model') === undefined && !isStored;
  // A list to choose from needs no model, and any of the sessions may have one of its own.
  if (picked.type === 'no-key' && switched(flags, 'resume') && text(flags, 'resume') === undefined) {
    const status = await (await import('./commands/sessions/list.js')).listSessions(io, flags);
    notice(io, 'sidenote -r <id> goes on with one');
    return status;
  }
  // Words want an answer, and the demo has none.
  if (keyless && flags.prompt !== undefined) throw new ModelUnavailableError(picked.message);
  if (keyless) notice(io, `${picked.message} This is the offline demo.`);
  if (keyless || setup.asked === 'demo') return (await import('./demo/demo.js')).runDemo(io);
  if (!io.stdin.isTTY || !io.stdout.isTTY)
    throw new UsageError('there is no terminal: use sidenote -p "prompt" (sidenote --help lists all)');
  return (await import('./terminal/interactive.js')).interactive(setup, models);
}
