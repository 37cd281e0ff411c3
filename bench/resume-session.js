/** `node resume-session.js FOLDER SESSION`: opens a stored session for writing, and ends. */
import { openSession } from '@sidenote/engine';
import { jsonlStore, localPorts } from '@sidenote/node';

const [folder = '.', resume = ''] = process.argv.slice(2);
const where = { cwd: folder, configDir: folder };
const { clock, ids, digest, tokens } = localPorts(where);
const session = await openSession({
  resume,
  model: 'claude-opus-5-5',
  tools: [],
  system: 'You fix bugs.',
  store: jsonlStore(where),
  ports: { clock, ids, digest, tokens },
  kinds: [],
});
await session.close();
