/** Counts as people read them. The engine's own tables of languages say the same, and take twenty milliseconds to load. */

/** The nearest whole number with commas between thousands: `12,345`. */
export function countText(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
