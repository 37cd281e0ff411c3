/** The list of what is stored for this directory. */
import { defaultConfigDir, jsonlStore, projectFolder } from '@sidenote/node';
import { switched, type Flags } from '../../flags/parse.js';
import { say, type Io } from '../../io.js';
import { sessionEntries } from './entries.js';
import { sessionList } from './text.js';

export async function listSessions(io: Io, flags: Flags): Promise<number> {
  const where = { cwd: io.cwd, configDir: defaultConfigDir(io.env, io.home) };
  const entries = await sessionEntries(jsonlStore(where));
  if (switched(flags, 'json')) io.stdout.write(`${JSON.stringify({ folder: projectFolder(where), sessions: entries }, null, 2)}\n`);
  else {
    const list = sessionList(entries, { width: io.stdout.columns ?? 160, numbered: false });
    const next = entries.length === 0 ? [] : ['sidenote -r <id> goes on with one, sidenote sessions show <id> shows it'];
    say(io, [projectFolder(where), list, ...next].join('\n'));
  }
  return 0;
}
