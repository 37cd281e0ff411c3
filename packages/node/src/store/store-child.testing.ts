/** A program for the store's tests: does what its parent says, so that it can be killed at any moment. */
import { SessionBusyError, type OpenSession } from '@sidenote/engine';
import { jsonlStore } from './jsonl-store.js';
import { lineOf } from './store-line.js';

export type Order =
  | { readonly type: 'open'; readonly cwd: string; readonly configDir: string; readonly session: string }
  /** Appends lines without end, and reports each as `stored` once it is acknowledged. */
  | { readonly type: 'write'; readonly sizes: readonly number[] }
  | { readonly type: 'close' };
export type Report = { readonly type: 'opened' | 'busy' | 'closed' } | { readonly type: 'stored'; readonly number: number };

let open: OpenSession | undefined;
let session = '';

const report = (message: Report) => process.send?.(message);

async function obey(order: Order): Promise<void> {
  if (order.type === 'open') {
    session = order.session;
    try {
      open = await jsonlStore(order).open(session, { write: true });
      report({ type: 'opened' });
    } catch (error) {
      if (!SessionBusyError.isInstance(error)) throw error;
      report({ type: 'busy' });
    }
  } else if (order.type === 'close') {
    await open?.close();
    open = undefined;
    report({ type: 'closed' });
  } else {
    for (let number = 0; ; number++) {
      const size = order.sizes[number % order.sizes.length] ?? 1;
      await open?.append(session, [lineOf(number, size)], number % 2 === 0 ? 'process' : 'power');
      report({ type: 'stored', number });
    }
  }
}

process.on('message', (order: Order) => void obey(order));
process.on('disconnect', () => process.exit());
