/**
 * `node --expose-gc fill-session.js FOLDER TURNS REPORT`: a session of so many turns with a result of 50 KB each, compacted every 40
 * turns. Into REPORT go the megabytes held after the first compaction and after the last. No disk is waited for.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openSession } from '@sidenote/engine';
import { answer, call, say } from '@sidenote/engine/testing';
import { jsonlStore, localPorts, sessionFile } from '@sidenote/node';

/** @import { Store } from '@sidenote/engine' */

const [folder = '.', turns = '0', report = ''] = process.argv.slice(2);
const turnsPerCompaction = 40;
/** About a megabyte: what stays in the window at the end. */
const turnsInTail = 20;
const where = { cwd: folder, configDir: folder };
const session = '11111111-1111-4111-8111-111111111111';

const file = sessionFile({ ...where, session });
mkdirSync(dirname(file), { recursive: true });
/** The real store, without its waiting for the disk. @type {Store} */
const store = {
  list: jsonlStore(where).list,
  async open(id) {
    const reading = await jsonlStore(where).open(id, { write: false });
    return { ...reading, append: async (_thread, lines) => appendFileSync(file, lines.map((line) => `${line}\n`).join('')) };
  },
};

const { clock, ids, digest, tokens, packing } = localPorts(where);
const opened = await openSession({
  id: session,
  model: 'claude-opus-5-5',
  tools: [],
  system: 'You fix bugs.',
  store,
  ports: { clock, ids, digest, tokens, packing },
  kinds: [],
});
const thread = opened.main;

let made = 0;
async function turn() {
  const asked = call('Read', { file_path: `file-${made}.ts` });
  await thread.prompt(`Look at number ${made}.`);
  await thread.response(answer([say(`I will look at number ${made}.`), asked]));
  await thread.result(asked.id, { content: [{ type: 'text', text: `a line of file ${made++}\n`.repeat(2_500) }] });
  await thread.next();
  await thread.response(answer([say('It is as it should be.')]));
  // A model lets the program come to rest between two turns.
  await setImmediate();
}
const compact = () => thread.compact([{ type: 'text', text: 'All was well so far.' }], null);
const held = () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / (1024 * 1024);
};

/** @type {number[]} */
const megabytes = [];
while (made < Number(turns)) {
  await turn();
  if (made % turnsPerCompaction > 0) continue;
  await compact();
  megabytes.push(held());
}
for (let tail = 0; tail < turnsInTail; tail++) await turn();
await opened.close();
writeFileSync(report, JSON.stringify({ first: megabytes[0], last: megabytes.at(-1) }));
