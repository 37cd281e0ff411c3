import Anthropic from '@anthropic-ai/sdk';
import { openSession } from '@sidenote/engine';
import { jsonlStore, localPorts } from '@sidenote/node';
import { run, tools } from './my-tools.js';

const cwd = process.cwd();
const anthropic = new Anthropic();
const session = await openSession({
  model: 'claude-opus-5-5',
  tools,
  system: 'You fix bugs in this repository.',
  store: jsonlStore({ cwd }), // the transcript: the only state
  ports: localPorts({ cwd }), // instruction files, git, date, changed files
  resume: process.argv[2], // a session id: same bytes as before, nothing said twice
});
const thread = session.main;
let step = await thread.prompt('Rename getUser in utils.js to match our conventions.');
for (;;) {
  for (const note of step.injected) console.log(`◇ ${note.title}`); // ◇ project instructions: 1 file
  const message = await anthropic.messages.stream({ ...step.request, max_tokens: 16_000 }).finalMessage();
  const calls = await thread.response(message); // stored as returned, thinking included
  if (calls.length === 0) break;
  await Promise.all(calls.map(async (call) => thread.result(call.id, await run(call, session.blobs))));
  step = await thread.next(); // results in call order, then what changed meanwhile
}
console.table(thread.audit.entries.map(({ owner, tokens, cache, usd }) => ({ ...owner, tokens, cache, usd })));
console.log(`session ${session.id}`);
await session.close();
