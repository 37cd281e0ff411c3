/** The head of the first request: what every session pays for before anyone has said a word. */
import { tokensOfBlock, tokensOfTool } from '../cost/positions.js';
import { startMessagesServer } from '../model/messages-server.js';
import { runNodeWell } from '../program/run-node.js';
import { command, surroundings } from '../program/sidenote.js';
import { makeWorkspace, removeWorkspace } from '../program/workspace.js';
import { judge } from '../report/figure.js';

/** @import { Figure } from '../report/figure.js' */

const most = { tools: 3_000, system: 1_400, all: 4_800 };

/** @returns {Promise<Figure[]>} */
export async function headFigures() {
  const workspace = makeWorkspace();
  const server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Hello.' }] }));
  try {
    await runNodeWell([command, '-p', 'Hello'], { cwd: workspace.project, env: surroundings(workspace, server.url) });
    const body = server.received[0]?.body;
    if (body === undefined) throw new Error('no request was sent');
    const tools = sum(body.tools.map(tokensOfTool));
    const system = sum(body.system.map(tokensOfBlock));
    const opening = sum((body.messages[0]?.content ?? []).map(tokensOfBlock));
    const budget = (/** @type {string} */ name, /** @type {number} */ value, /** @type {number} */ limit) =>
      judge({ name, unit: 'tokens', value, floor: null, limit: { type: 'most', most: limit } });
    return [
      budget(`head: ${body.tools.length} tools`, tools, most.tools),
      budget('head: system', system, most.system),
      budget('head: with the opening', tools + system + opening, most.all),
    ];
  } finally {
    await server.close();
    removeWorkspace(workspace);
  }
}

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
