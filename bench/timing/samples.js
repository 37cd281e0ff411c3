/** Samples of a figure and of its floor, taken by turns so that a busy moment of the machine meets both. */

/** @typedef {{ readonly value: number[], readonly floor: number[] }} Samples */

/**
 * Takes both by turns, the order reversed in every other round. The first round warms up and is not counted.
 * @param {number} rounds
 * @param {{ readonly value: () => number | Promise<number>, readonly floor: () => number | Promise<number> }} take Each gives one sample.
 * @returns {Promise<Samples>}
 */
export async function besideFloor(rounds, take) {
  /** @type {Samples} */
  const samples = { value: [], floor: [] };
  const order = /** @type {const} */ (['value', 'floor']);
  for (let round = 0; round <= rounds; round++) {
    for (const subject of round % 2 === 0 ? order : order.toReversed()) {
      const sample = await take[subject]();
      if (round > 0) samples[subject].push(sample);
    }
  }
  return samples;
}

/**
 * The sample below which this share of all samples lies.
 * @param {readonly number[]} samples @param {number} share From 0 to 1.
 */
export function quantile(samples, share) {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Milliseconds that something takes.
 * @param {() => unknown} work
 */
export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
