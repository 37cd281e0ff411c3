/** The figures as a table: name, value, floor, ratio, limit, and whether it holds. */

/** @import { Figure, JudgedFigure, Limit, Unit } from './figure.js' */

const heads = ['figure', 'value', 'floor', 'ratio', 'limit', ''];

/** @param {readonly Figure[]} figures @returns {string} Lines without an end. */
export function table(figures) {
  const rows = [heads, ...figures.map((figure) => (figure.type === 'measured' ? row(figure) : [figure.name]))];
  const widths = heads.map((_, column) =>
    Math.max(...rows.map((cells) => (cells.length === 1 && column > 0 ? 0 : (cells[column] ?? '').length))),
  );
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => (column === 0 || column > 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return lines
    .map((line, index) => {
      const figure = figures[index - 1];
      return figure === undefined || figure.type === 'measured' ? line : `${line}  ${figure.type}: ${figure.why}`;
    })
    .join('\n');
}

/** @param {JudgedFigure} figure */
function row({ name, unit, value, spread, floor, floorSpread, ratio, limit, ok }) {
  return [
    name,
    amount(value, unit, spread),
    floor === null ? '' : amount(floor, unit, floorSpread),
    ratio === null ? '' : ratio.toFixed(2),
    limitText(limit, unit),
    ok ? 'ok' : 'OVER',
  ];
}

/** @param {number} value @param {Unit} unit @param {readonly [number, number]} [spread] */
function amount(value, unit, spread) {
  const digits = unit === 'ms' && value < 20 ? 2 : 0;
  const text = (/** @type {number} */ one) => one.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const whole = unit === '' ? text(value) : `${text(value)} ${unit}`;
  return spread === undefined ? whole : `${whole} (${text(spread[0])}–${text(spread[1])})`;
}

/** @param {Limit} limit @param {Unit} unit */
function limitText(limit, unit) {
  if (limit.type === 'all') return 'all';
  if (limit.type === 'most') return `≤ ${amount(limit.most, unit)}`;
  return `≤ ${limit.most} ×${limit.orMore === undefined ? '' : ` or + ${limit.orMore} ${unit}`}`;
}
