/** What a turn costs by itself when the model sees the same window, but ever more lies behind it. */
import { judgeMedians } from '../report/figure.js';
import { longSession } from '../timing/long-session.js';
import { besideFloor } from '../timing/samples.js';

/** @import { Figure } from '../report/figure.js' */
/** @import { Samples } from '../timing/samples.js' */

/** Records behind the window. */
const few = 10;
const many = [1_000, 100_000];
/** Messages. */
const window = 200;
/** Windows begun anew, so that they stay near their size while turns are added. */
const windows = 4;
const turnsPerWindow = 15;

/** @returns {Promise<Figure[]>} */
export async function ownWorkFigures() {
  const floor = await longSession(few);
  /** @type {Figure[]} */
  const figures = [];
  for (const records of many) {
    const value = await longSession(records);
    /** @type {Samples} */
    const samples = { value: [], floor: [] };
    for (let round = 0; round < windows; round++) {
      await value.beginWindow(window);
      await floor.beginWindow(window);
      const taken = await besideFloor(turnsPerWindow, { value: value.turn, floor: floor.turn });
      samples.value.push(...taken.value);
      samples.floor.push(...taken.floor);
    }
    await value.close();
    const name = `own work of a turn after ${records.toLocaleString('en')} records`;
    figures.push(judgeMedians({ name, unit: 'ms', limit: { type: 'ratio', most: 1.2, orMore: 0.5 } }, samples));
  }
  await floor.close();
  return figures;
}
