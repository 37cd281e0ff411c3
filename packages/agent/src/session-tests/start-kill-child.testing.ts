/** Starts `kill-child.testing.ts` as a process of its own, for tests: it is told what to do, and killed in the middle of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildChild } from '../../../node/src/store/child-program.testing.js';
import type { Acknowledged } from './acknowledged.testing.js';
import type { KillOrder } from './kill-child.testing.js';

export const buildKillChild = (outDir: string): Promise<string> =>
  buildChild(join(import.meta.dirname, 'kill-child.testing.ts'), { outDir, bundle: /./ });

export interface KillChild {
  /**
   * Lets it work, kills it as `when` says, and gives everything that it had acknowledged by then. `when` is asked at each
   * acknowledgement; a number is how many microseconds are waited, without giving way, before the kill.
   */
  work(order: KillOrder, when: (count: number) => number | undefined): Promise<readonly Acknowledged[]>;
}

/** Resolves when it is ready to work. */
export async function startKillChild(program: string): Promise<KillChild> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const acknowledged: Acknowledged[] = [];
  let rest = '';
  let each: () => void = () => undefined;
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (part: string) => {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      acknowledged.push(JSON.parse(line) as Acknowledged);
      each();
    }
  });
  const gone = once(child, 'close');
  while (acknowledged.length === 0) await Promise.race([once(child.stdout, 'data'), gone]);
  acknowledged.length = 0;
  return {
    async work(order, when) {
      each = () => {
        const microseconds = when(acknowledged.length);
        if (microseconds === undefined) return;
        each = () => undefined;
        const until = process.hrtime.bigint() + BigInt(Math.round(microseconds * 1000));
        while (process.hrtime.bigint() < until);
        child.kill('SIGKILL');
      };
      child.stdin.write(`${JSON.stringify(order)}\n`);
      await gone;
      return acknowledged;
    },
  };
}
