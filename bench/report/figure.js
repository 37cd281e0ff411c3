/** A figure: what was measured, beside its floor and its limit. */
import { quantile } from '../timing/samples.js';

/** @import { Samples } from '../timing/samples.js' */

/**
 * @typedef {'ms' | 'MB' | 'tokens' | 'units' | ''} Unit `units`: the price of one input token that no cache holds.
 * @typedef {{ readonly type: 'ratio', readonly most: number, readonly orMore?: number }} RatioLimit Times the floor; `orMore`: so much above it is all right as well.
 * @typedef {{ readonly type: 'most', readonly most: number }} MostLimit
 * @typedef {{ readonly type: 'all' }} AllLimit As much as the floor.
 * @typedef {RatioLimit | MostLimit | AllLimit} Limit
 *
 * @typedef {object} Measured
 * @property {string} name
 * @property {Unit} unit
 * @property {number} value
 * @property {readonly [number, number]} [spread] The middle half of the samples.
 * @property {number | null} floor
 * @property {readonly [number, number]} [floorSpread]
 * @property {Limit} limit
 *
 * @typedef {Measured & { readonly type: 'measured', readonly ratio: number | null, readonly ok: boolean }} JudgedFigure
 * @typedef {{ readonly type: 'skipped' | 'failed', readonly name: string, readonly why: string }} AbsentFigure
 * @typedef {JudgedFigure | AbsentFigure} Figure
 */

/** @param {Measured} measured @returns {JudgedFigure} */
export function judge(measured) {
  const { value, floor, limit } = measured;
  const ratio = floor === null ? null : value / floor;
  return { ...measured, type: 'measured', ratio, ok: isWithin(value, floor, limit) };
}

/**
 * Medians, with the middle half of the samples as their spread.
 * @param {Pick<Measured, 'name' | 'unit' | 'limit'>} figure @param {Samples} samples
 */
export function judgeMedians(figure, { value, floor }) {
  return judge({ ...figure, value: quantile(value, 0.5), spread: middle(value), floor: quantile(floor, 0.5), floorSpread: middle(floor) });
}

/** @param {readonly number[]} samples @returns {readonly [number, number]} */
const middle = (samples) => [quantile(samples, 0.25), quantile(samples, 0.75)];

/** @param {number} value @param {number | null} floor @param {Limit} limit @returns {boolean} */
function isWithin(value, floor, limit) {
  if (limit.type === 'most') return value <= limit.most;
  if (floor === null) return false;
  if (limit.type === 'all') return value >= floor;
  return value <= floor * limit.most || (limit.orMore !== undefined && value <= floor + limit.orMore);
}

/** @param {Figure} figure True unless a limit is broken or nothing could be measured. */
export const isFine = (figure) => figure.type === 'skipped' || (figure.type === 'measured' && figure.ok);
