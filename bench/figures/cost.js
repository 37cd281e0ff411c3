/** Billed input of two scenarios, beside the floor of the very same requests. */
import { join } from 'node:path';
import { billScenario } from '../cost/bill-scenario.js';
import { disturbedToolLoop, toolLoop } from '../cost/scenarios.js';
import { fakeTimeLibrary, wallClock } from '../cost/wall-clock.js';
import { makeWorkspace, removeWorkspace } from '../program/workspace.js';
import { judge } from '../report/figure.js';

/** @import { Figure } from '../report/figure.js' */
/** @import { Scenario } from '../cost/scenarios.js' */
/** @import { Workspace } from '../program/workspace.js' */

const most = 1.03;
/** Seconds: half of them lead to midnight. */
const aroundMidnight = 180;

/** @returns {Promise<Figure[]>} */
export async function costFigures() {
  return [
    ...(await scenarioFigures('f', () => ({ scenario: toolLoop(), env: {} }))),
    ...(await scenarioFigures('f2', disturbed)),
    ...skippedMidnight(),
  ];
}

/** @param {Workspace} workspace */
function disturbed(workspace) {
  const library = fakeTimeLibrary();
  if (library === undefined) return { scenario: disturbedToolLoop({ workspace }), env: {} };
  const clock = wallClock({ library, file: join(workspace.root, 'clock'), start: '2031-03-01T23:58:30Z' });
  return { scenario: disturbedToolLoop({ workspace, midnight: () => clock.advance(aroundMidnight) }), env: clock.env };
}

/**
 * @param {string} name
 * @param {(workspace: Workspace) => { readonly scenario: Scenario, readonly env: Readonly<Record<string, string>> }} prepare
 * @returns {Promise<Figure[]>}
 */
async function scenarioFigures(name, prepare) {
  const workspace = makeWorkspace();
  try {
    const { scenario, env } = prepare(workspace);
    const { units, floor, requests, untold } = await billScenario({ workspace, scenario, env });
    const told = scenario.told.length - untold.length;
    return [
      judge({ name: `billed input of ${name} (${requests} requests)`, unit: 'units', value: units, floor, limit: { type: 'ratio', most } }),
      judge({
        name: `told in ${name}${untold.length === 0 ? '' : `, without ${untold.join(', ')}`}`,
        unit: '',
        value: told,
        floor: scenario.told.length,
        limit: { type: 'all' },
      }),
    ];
  } finally {
    removeWorkspace(workspace);
  }
}

/** @returns {Figure[]} */
function skippedMidnight() {
  return fakeTimeLibrary() === undefined
    ? [{ type: 'skipped', name: 'midnight in f2', why: 'there is no libfaketime (Debian: apt-get install faketime)' }]
    : [];
}
