/** Forty turns in which nothing happens: after the first message, every reminder would tell the model what it knows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startMessagesServer } from '../model/messages-server.js';
import { command, surroundings } from '../program/sidenote.js';
import { makeWorkspace, removeWorkspace } from '../program/workspace.js';
import { judge } from '../report/figure.js';

/** @import { MessagesBody } from '@sidenote/engine' */
/** @import { Figure } from '../report/figure.js' */

const turns = 40;
/** As an estimate for prose. */
const charactersPerToken = 3.5;

/** @returns {Promise<Figure[]>} The floor: tokens of all reminders, those of the first message included. */
export async function quietTurnFigures() {
  const workspace = makeWorkspace();
  const server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Fine.' }] }));
  try {
    const args = [command, '-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
    const env = surroundings(workspace, server.url);
    const child = spawn(process.execPath, args, { cwd: workspace.project, env, stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = once(child, 'close');
    await sayInTurn(child);
    const [status] = await ended;
    const last = server.received.at(-1)?.body;
    if (status !== 0 || last === undefined || server.received.length !== turns)
      throw new Error(`${server.received.length} of ${turns} turns were asked for, and the command ended with ${status}`);
    const opening = remindersIn(last.messages.slice(0, 1));
    const all = remindersIn(last.messages);
    return [
      judge({
        name: `${turns} quiet turns: reminders that tell nothing new`,
        unit: 'tokens',
        value: all - opening,
        floor: all,
        limit: { type: 'most', most: 0 },
      }),
    ];
  } finally {
    await server.close();
    removeWorkspace(workspace);
  }
}

/** Words of the next turn once the one before has its result, so that none is steered in. @param {import('node:child_process').ChildProcessByStdio<import('node:stream').Writable, import('node:stream').Readable, null>} child */
async function sayInTurn(child) {
  let said = 0;
  const next = () => {
    if (said === turns) child.stdin.end();
    else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: `Is all well, ${++said}?` } })}\n`);
  };
  next();
  let rest = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (JSON.parse(line).type === 'result') next();
  }
}

/** Tokens, about. @param {MessagesBody['messages']} messages */
function remindersIn(messages) {
  const found = JSON.stringify(messages).match(/<system-reminder>.*?<\/system-reminder>/g) ?? [];
  return Math.round(found.join('').length / charactersPerToken);
}
