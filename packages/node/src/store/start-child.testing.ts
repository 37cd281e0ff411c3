/** Starts `store-child.testing.ts` as a process of its own, for tests. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildChild } from './child-program.testing.js';
import type { Order, Report } from './store-child.testing.js';

export interface StoreChild {
  readonly pid: number;
  send(order: Order): void;
  /** The next report that has not been taken yet. */
  next(): Promise<Report>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

export const buildStoreChild = (outDir: string): Promise<string> =>
  buildChild(join(import.meta.dirname, 'store-child.testing.ts'), { outDir, bundle: /^@sidenote\// });

export function startStoreChild(program: string): StoreChild {
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const reports: Report[] = [];
  let wake = () => {};
  child.on('message', (report: Report) => {
    reports.push(report);
    wake();
  });
  child.once('exit', () => wake());
  return {
    pid: child.pid ?? -1,
    send: (order) => void child.send(order),
    async next() {
      for (;;) {
        const report = reports.shift();
        if (report !== undefined) return report;
        if (!child.connected) throw new Error('the child is gone');
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    kill: () => killed(child),
  };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
