/** `sidenote` on a terminal: the screen first, then the session behind it. */
import { relative } from 'node:path';
import { COMMANDS } from '../commands/registry.js';
import { sessionEntries } from '../commands/sessions/entries.js';
import { sessionList } from '../commands/sessions/text.js';
import { answered } from '../assemble/first-questions.js';
import { createModels, type Models } from '../assemble/models.js';
import type { Setup } from '../assemble/set-up.js';
import type { Conversation } from '../conversation.js';
import { firstWords, switched, text } from '../flags/parse.js';
import { endingStatus, notice } from '../io.js';
import { VERSION } from '../version.js';
import { screenClock } from './clock.js';
import { editFile } from './edit-file.js';
import { fileHistory } from './history.js';
import { pathMatches } from './path-matches.js';
import { runScreen } from './screen.js';
import { themeOf } from './theme.js';
import { createView } from './view.js';

/** Milliseconds that listing the files of the project may take. */
const LISTING = 3_000;

export async function interactive(setup: Setup, models: Models): Promise<number> {
  const { io, flags, configDir, store } = setup;
  const theme = themeOf(io.env);
  const list = switched(flags, 'resume') && text(flags, 'resume') === undefined;
  const sessions = list ? sessionList(await sessionEntries(store), { width: io.stdout.columns ?? 80 }) : '';
  let conversation: Conversation | undefined;
  const left = await runScreen({
    theme,
    clock: screenClock,
    signal: io.signal,
    prompt: firstWords(flags),
    cwd: io.cwd,
    folder: shortFolder(io.cwd, io.home),
    greeting: [`${theme.bold('Sidenote')} ${VERSION} · /help · ctrl+o shows what was injected`, sessions].filter(Boolean).join('\n\n'),
    history: fileHistory({ configDir, cwd: io.cwd }),
    view: (hooks) =>
      createView({
        ...hooks,
        theme,
        cwd: io.cwd,
        commands: async () => [
          ...COMMANDS.map(({ name, summary }) => ({ name, description: summary })),
          ...((await conversation?.commands.list()) ?? []).map(({ name, summary }) => ({ name, description: summary })),
        ],
        mentionable: mentionableIn(io.cwd),
      }),
    edit: (path) => editFile(path, io.env),
    told: (line) => notice(io, line),
    open: async (hooks) => {
      const { assemble } = await import('../assemble/assemble.js');
      const current = await answered(setup, { choose: hooks.choose, tell: hooks.notice });
      // The settings of a folder that is trusted now may bring a key along.
      return (conversation = await assemble(
        current,
        current === setup ? models : createModels(current.io.env, { cwd: io.cwd, profile: current.profile }),
        hooks,
      ));
    },
  });
  if (left !== undefined && !switched(flags, 'no-session-persistence'))
    io.stdout.write(`sidenote -r ${left.slice(0, 8)} goes on from here\n`);
  return io.signal.aborted ? endingStatus(io.signal.reason) : 0;
}

/** Files are listed once while a path grows, anew for every other one. */
function mentionableIn(cwd: string): (typed: string) => Promise<readonly string[]> {
  let before: { readonly typed: string; readonly files: Promise<readonly string[]> } | undefined;
  return async (typed) => {
    const grows = before !== undefined && typed.startsWith(before.typed) && typed !== before.typed;
    const files = before !== undefined && grows ? before.files : filesOf(cwd);
    before = { typed, files };
    return pathMatches(await files, typed);
  };
}

async function filesOf(cwd: string): Promise<readonly string[]> {
  const { listFiles } = await import('@sidenote/agent');
  const list = await listFiles(cwd, { signal: AbortSignal.timeout(LISTING) }).catch(() => undefined);
  return list?.files ?? [];
}

export function shortFolder(cwd: string, home: string): string {
  const inside = relative(home, cwd);
  if (inside === '') return '~';
  return inside.startsWith('..') ? cwd : `~/${inside}`;
}
