/** The machine's clock. */
export { systemClock } from './system-clock.js';
