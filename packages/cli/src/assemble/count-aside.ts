/** Counts what models take that are asked beside the conversation: it is paid for, and limits hold for it. */
import { messageOf, type Aside } from '@sidenote/engine';
import type { PartOptions } from './part.js';

/** Never rejects: an answer is worth more than its bill, but nobody should find out by the bill. */
export function countAside({ session, tell }: Pick<PartOptions, 'session' | 'tell'>): (aside: Aside) => Promise<void> {
  return async (aside) => {
    try {
      await session()?.spent(aside);
    } catch (error) {
      tell(`what ${aside.model} took beside the conversation is not counted: ${messageOf(error)}`);
    }
  };
}
