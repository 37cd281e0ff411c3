/** A session in memory with any number of records behind it, whose next turns can be timed. No disk, no model, no waiting. */
import { openSession } from '@sidenote/engine';
import { MemoryStore, answer, call, say } from '@sidenote/engine/testing';
import { localPorts } from '@sidenote/node';

/** @import { FileView, Ports, Source } from '@sidenote/engine' */

/** Messages that one turn adds: the prompt, a call, its result, the answer. */
const messagesPerTurn = 4;
const turnsPerCompaction = 100;
/** Files that the results say they showed. */
const seenFiles = 50;

/**
 * @typedef {object} LongSession
 * @property {(messages: number) => Promise<void>} beginWindow Compacts, and fills the window up to so many messages.
 * @property {() => Promise<number>} turn One turn; milliseconds of all that the engine did.
 * @property {() => Promise<void>} close
 */

/**
 * @param {number} records At least so many are stored before it is handed over.
 * @returns {Promise<LongSession>}
 */
export async function longSession(records) {
  const store = new MemoryStore();
  const session = await openSession({ model: 'claude-opus-5-5', tools: [], system: 'You fix bugs.', store, ports: ports() });
  const thread = session.main;
  let made = 0;

  const turn = async () => {
    const number = made++;
    const asked = call('Read', { file_path: `file-${number % seenFiles}.ts` });
    const started = performance.now();
    await thread.prompt(`Look at number ${number}.`);
    await thread.response(answer([say(`I will look at number ${number}.`), asked]));
    const view = viewOf(number % seenFiles);
    await thread.result(asked.id, {
      content: [{ type: 'text', text: 'a line of a file\n'.repeat(40) }],
      effects: [{ type: 'viewed', view }],
    });
    await thread.next();
    await thread.response(answer([say('It is as it should be.')]));
    return performance.now() - started;
  };
  const compact = () => thread.compact([{ type: 'text', text: 'All was well so far.' }], null);

  for (let stored = 0; stored < records; stored = store.file(session.id).length) {
    await turn();
    if (made % turnsPerCompaction === 0) await compact();
  }
  return {
    async beginWindow(messages) {
      await compact();
      for (let count = 0; count < messages; count += messagesPerTurn) await turn();
    },
    turn,
    close: () => session.close(),
  };
}

/** What needs no machine, and instructions that stay as they are. @returns {Partial<Ports>} */
function ports() {
  const { clock, ids, digest, tokens } = localPorts({ cwd: '.' });
  /** @type {NonNullable<Ports['instructions']>} */
  const instructions = {
    read: () => ({
      type: 'ready',
      version: '1',
      value: [{ path: 'AGENTS.md', scope: 'project', text: 'Names are whole words.', status: 'loaded', reason: 'in the working folder' }],
    }),
  };
  return { clock, ids, digest, tokens, instructions, changes: { since: async () => [] } };
}

/** @param {number} file @returns {FileView} */
const viewOf = (file) => ({
  path: `file-${file}.ts`,
  digest: `${file}`,
  size: 1,
  mtimeNs: '1',
  inode: `${file}`,
  lines: 'all',
  form: 'raw',
});
