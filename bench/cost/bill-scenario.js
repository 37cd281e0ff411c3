/** Runs a scenario with the command, and bills each request with the model of the cache. */
import { startMessagesServer } from '../model/messages-server.js';
import { runNodeWell } from '../program/run-node.js';
import { command, surroundings } from '../program/sidenote.js';
import { promptCache } from './cache.js';
import { floorOf } from './floor.js';
import { positionsOf } from './positions.js';

/** @import { Workspace } from '../program/workspace.js' */
/** @import { Scenario } from './scenarios.js' */

/**
 * @typedef {object} ScenarioBill
 * @property {number} units Billed.
 * @property {number} floor
 * @property {number} requests
 * @property {readonly string[]} untold What should have reached the model by the last request, and did not.
 */

/**
 * @param {{ readonly workspace: Workspace, readonly scenario: Scenario, readonly env?: Readonly<Record<string, string>> }} options
 * @returns {Promise<ScenarioBill>}
 */
export async function billScenario({ workspace, scenario, env = {} }) {
  const cache = promptCache();
  const started = performance.now();
  let units = 0;
  const server = await startMessagesServer(({ body, at }, index) => {
    const step = scenario.steps[index];
    if (step === undefined) return null;
    const bill = cache.bill(positionsOf(body), (at - started) / 1000);
    units += bill.units;
    step.before?.();
    const usage = {
      input_tokens: bill.fresh,
      cache_read_input_tokens: bill.read,
      cache_creation_input_tokens: bill.written['5m'] + bill.written['1h'],
    };
    return { content: step.content, usage };
  });
  const where = { cwd: workspace.project, env: { ...surroundings(workspace, server.url), ...env } };
  try {
    for (const args of scenario.runs) await runNodeWell([command, '-p', ...args, '--dangerously-skip-permissions'], where);
  } finally {
    await server.close();
  }
  const { received } = server;
  if (received.length !== scenario.steps.length) throw new Error(`${received.length} requests instead of ${scenario.steps.length}`);
  const sent = JSON.stringify(received.at(-1)?.body.messages);
  return {
    units,
    floor: floorOf(received.map(({ body }) => positionsOf(body))),
    requests: received.length,
    untold: scenario.told.filter((words) => !sent.includes(words)),
  };
}
