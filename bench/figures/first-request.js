/** From the start of a headless run until its first request arrives: settings, instructions, git and the model client. */
import { startMessagesServer } from '../model/messages-server.js';
import { runNodeWell } from '../program/run-node.js';
import { command, surroundings } from '../program/sidenote.js';
import { makeWorkspace, removeWorkspace } from '../program/workspace.js';
import { judgeMedians } from '../report/figure.js';
import { besideFloor } from '../timing/samples.js';

/** @import { Figure } from '../report/figure.js' */

const rounds = 15;

/** @returns {Promise<Figure[]>} */
export async function firstRequestFigures() {
  const workspace = makeWorkspace();
  const server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Hello.' }] }));
  const where = { cwd: workspace.project, env: surroundings(workspace, server.url) };
  try {
    const samples = await besideFloor(rounds, {
      async value() {
        const before = server.received.length;
        const { startedAt } = await runNodeWell([command, '-p', 'Hello'], where);
        const request = server.received[before];
        if (request === undefined) throw new Error('no request was sent');
        return request.at - startedAt;
      },
      floor: async () => (await runNodeWell(['-e', '0'], where)).ms,
    });
    return [judgeMedians({ name: 'first request sent', unit: 'ms', limit: { type: 'ratio', most: 4 } }, samples)];
  } finally {
    await server.close();
    removeWorkspace(workspace);
  }
}
