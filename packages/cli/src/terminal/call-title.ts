/** One line for a call whose tool gave no title: one of an earlier session, or one that was refused before it began. */
import { inside } from '../inside.js';

/** Its name and the first line of its first words: `Edit src/a.ts`. */
export function callTitle(call: object, cwd: string): string {
  const { name, input } = { name: '', input: {}, ...call };
  const argument = Object.values(typeof input === 'object' && input !== null ? input : {}).find((value) => typeof value === 'string');
  return inside(`${String(name)} ${typeof argument === 'string' ? argument.split('\n')[0] : ''}`.trim(), cwd);
}
