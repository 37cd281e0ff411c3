/** Three turns of one thread with a pause before each later one: what is billed, and what hindsight would have paid. */
import { openSession } from '@sidenote/engine';
import { answer, call, FakeClock, MemoryStore, say, testPorts } from '@sidenote/engine/testing';
import { price, promptCache } from './cache.js';
import { positionsOf } from './positions.js';

/** @import { MessagesBody } from '@sidenote/engine' */
/** @import { Position } from './positions.js' */

/** Characters of the instructions and of the file that the first turn reads: most of a session comes before its first pause. */
const opening = 20_000;
const file = 12_000;

/** @param {number} minutes @returns {Promise<{ units: number, floor: number }>} */
export async function billPauses(minutes) {
  const clock = new FakeClock();
  /** @type {{ at: number, positions: readonly Position[] }[]} */
  const sent = [];
  const session = await openSession({
    model: 'claude-opus-5-5',
    tools: [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object' } }],
    system: 'Rules of the house. '.repeat(opening / 20),
    store: new MemoryStore(),
    ports: testPorts(clock),
  });
  /** @param {{ request: MessagesBody }} step */
  const send = ({ request }) => void sent.push({ at: clock.now() / 1000, positions: positionsOf(request) });
  send(await session.main.prompt('Look at the file.'));
  const [read] = await session.main.response(answer([call('Read', { file_path: 'a.ts' })]));
  await session.main.result(read?.id ?? '', 'a line of the file '.repeat(file / 19));
  send(await session.main.next());
  await session.main.response(answer([say('I have read it.')]));
  for (const words of ['And what of the first part?', 'And of the second?']) {
    clock.advance(minutes * 60_000);
    send(await session.main.prompt(words));
    await session.main.response(answer([say('It is fine.')]));
  }
  await session.close();
  const cache = promptCache();
  return { units: sent.reduce((sum, { at, positions }) => sum + cache.bill(positions, at).units, 0), floor: hindsight(sent) };
}

/** Each token under the cheaper of two lives, the pauses known: read where its entry lives, else written again. */
function hindsight(/** @type {readonly { at: number, positions: readonly Position[] }[]} */ sent) {
  const lives = /** @type {const} */ ([
    [300, price.write['5m']],
    [3_600, price.write['1h']],
  ]);
  return sent.reduce((floor, { positions }, index) => {
    const before = sent[index - 1]?.positions.length ?? 0;
    const added = positions.slice(before).reduce((sum, { tokens }) => sum + tokens, 0);
    const gaps = sent.slice(index + 1).map(({ at }, later) => at - (sent[index + later]?.at ?? at));
    const costs = lives.map(([life, write]) => gaps.reduce((sum, gap) => sum + (gap <= life ? price.read : write), write));
    return floor + added * Math.min(...costs);
  }, 0);
}
