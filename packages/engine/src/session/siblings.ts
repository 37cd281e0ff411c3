/** Who changed a file, where it was another agent of this session: an outside change that has a name. */
import type { FileChange, Ports } from '../attachments/ports.js';
import type { Digest } from '../content/content.js';
import type { Fold } from '../transcript/fold.js';
import type { TranscriptLog } from '../transcript/log.js';

/** Fold: what a thread wrote last, by path. */
const wroteFold: Fold<Map<string, Digest>> = {
  name: 'wrote',
  scope: 'session',
  on: ['tool_result'],
  initial: () => new Map(),
  step(wrote, record) {
    if (record.type !== 'tool_result') return wrote;
    for (const effect of record.effects) if (effect.type === 'wrote') wrote.set(effect.view.path, effect.view.digest);
    return wrote;
  },
};

export type Sibling = { readonly title: string; readonly log: TranscriptLog };

/** The same port, with a note on each change that is exactly what another thread wrote. */
export function namingSiblings(changes: NonNullable<Ports['changes']>, others: () => readonly Sibling[]): NonNullable<Ports['changes']> {
  return {
    async since(views, blobs, signal) {
      const found = await changes.since(views, blobs, signal);
      const siblings = found.length === 0 ? [] : others();
      return siblings.length === 0 ? found : found.map((change) => named(change, siblings));
    },
  };
}

function named(change: FileChange, siblings: readonly Sibling[]): FileChange {
  const { view } = change;
  if (view === null) return change;
  const writer = siblings.find(({ log }) => log.read(wroteFold).get(view.path) === view.digest);
  if (writer === undefined) return change;
  return { ...change, note: [`by ${writer.title}`, ...(change.note === undefined ? [] : [change.note])].join('; ') };
}
