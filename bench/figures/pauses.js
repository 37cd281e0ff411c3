/** The regret over pauses: what a thread of three turns costs beside what hindsight would have paid, as a curve. */
import { billPauses } from '../cost/pauses.js';
import { judge } from '../report/figure.js';

/** @import { Figure } from '../report/figure.js' */

/** Minutes before each later turn. */
const pauses = [0, 2, 4, 6, 10, 20, 30, 45, 59, 70, 90, 120];
/** Nobody knows of the first pause beforehand, and most of a session is written before it. */
const limit = 1.55;

/** @returns {Promise<Figure[]>} */
export async function pauseFigures() {
  /** @type {Figure[]} */
  const figures = [];
  for (const minutes of pauses) {
    const { units, floor } = await billPauses(minutes);
    figures.push(judge({ name: `pauses of ${minutes} min`, unit: 'units', value: units, floor, limit: { type: 'ratio', most: limit } }));
  }
  return figures;
}
