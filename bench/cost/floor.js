/** The floor of a series of requests: every token written once, and read ever after. */
import { price } from './cache.js';

/** @import { Position } from './positions.js' */

/**
 * @param {readonly (readonly Position[])[]} requests One after the other, without a pause longer than a written entry lives.
 * @returns {number} Units.
 */
export function floorOf(requests) {
  /** @type {readonly Position[]} */
  let before = [];
  let floor = 0;
  for (const positions of requests) {
    const common = positions.findIndex(({ key }, index) => key !== before[index]?.key);
    const kept = common < 0 ? positions.length : common;
    positions.forEach(({ tokens }, index) => (floor += tokens * (index < kept ? price.read : price.write['5m'])));
    before = positions;
  }
  return floor;
}
