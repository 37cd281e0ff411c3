/** A model of the provider's prompt cache, and of what a request is billed with it. */

/** @import { Position } from './positions.js' */

/** In units of one input token that is neither written nor read. */
export const price = /** @type {const} */ ({ fresh: 1, write: { '5m': 1.25, '1h': 2 }, read: 0.1 });

const lifeSeconds = /** @type {const} */ ({ '5m': 300, '1h': 3_600 });
/** Positions that a mark looks back over for an entry, its own included. */
const lookBack = 20;
/** A shorter prefix is not kept. */
const minimumTokens = 1_024;

/** @typedef {{ read: number, written: { '5m': number, '1h': number }, fresh: number, units: number }} Bill Tokens, and the price of them. */

/**
 * Entries exist only where a mark stood, live as long as the mark said, and are renewed by being read.
 * @returns {{ bill(positions: readonly Position[], now: number): Bill }} `now` in seconds.
 */
export function promptCache() {
  /** @type {Map<string, { life: number, expires: number }>} */
  const entries = new Map();

  /** Index of the last position that any mark finds an entry at; -1: none. @param {readonly Position[]} positions @param {number} now */
  const lastHit = (positions, now) => {
    let hit = -1;
    positions.forEach(({ mark }, index) => {
      if (mark === null) return;
      for (let at = index; at > Math.max(hit, index - lookBack); at--) {
        const entry = entries.get(positions[at]?.key ?? '');
        if (entry === undefined || entry.expires <= now) continue;
        hit = at;
        return;
      }
    });
    return hit;
  };

  return {
    bill(positions, now) {
      const hit = lastHit(positions, now);
      const written = { '5m': 0, '1h': 0 };
      let read = 0;
      let total = 0;
      let kept = 0;
      positions.forEach(({ key, tokens, mark }, index) => {
        total += tokens;
        if (index === hit) read = kept = total;
        if (index <= hit) {
          const entry = entries.get(key);
          if ((index === hit || mark !== null) && entry !== undefined && entry.expires > now) entry.expires = now + entry.life;
        } else if (mark !== null && total >= minimumTokens) {
          const life = lifeSeconds[mark];
          entries.set(key, { life, expires: now + life });
          written[mark] += total - kept;
          kept = total;
        }
      });
      const fresh = total - kept;
      const units = read * price.read + written['5m'] * price.write['5m'] + written['1h'] * price.write['1h'] + fresh * price.fresh;
      return { read, written, fresh, units };
    },
  };
}
