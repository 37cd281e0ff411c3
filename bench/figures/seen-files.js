/** A step while the model has seen a thousand files: each is looked at for changes, so that many bare stats are the floor. */
import { mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '@sidenote/engine';
import { MemoryStore, answer, call, say } from '@sidenote/engine/testing';
import { localPorts, viewed } from '@sidenote/node';
import { judge, judgeMedians } from '../report/figure.js';
import { besideFloor, quantile, timed } from '../timing/samples.js';

/** @import { Figure, Measured } from '../report/figure.js' */

const files = 1_000;
/** So many that the slowest hundredth is more than an accident. */
const rounds = 1_000;
/** Seconds since the epoch: long enough ago for a stat to prove that nothing changed. */
const old = 1_700_000_000;

/** @returns {Promise<Figure[]>} */
export async function seenFilesFigures() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sidenote-bench-')));
  try {
    const paths = Array.from({ length: files }, (_, index) => join(folder, `file-${index}.txt`));
    for (const path of paths) {
      writeFileSync(path, `${path}\n`);
      utimesSync(path, old, old);
    }
    const session = await openSession({
      model: 'claude-opus-5-5',
      tools: [],
      system: 'You fix bugs.',
      store: new MemoryStore(),
      ports: (({ clock, ids, digest, tokens, changes }) => ({ clock, ids, digest, tokens, changes }))(localPorts({ cwd: folder })),
    });
    const thread = session.main;
    const read = call('Read', {});
    await thread.prompt('Read everything.');
    await thread.response(answer([read]));
    const effects = await Promise.all(paths.map((path) => viewed(path, session.blobs)));
    await thread.result(read.id, { content: [{ type: 'text', text: 'All was read.' }], effects });
    await thread.next();
    await thread.response(answer([say('Done.')]));

    const samples = await besideFloor(rounds, {
      async value() {
        const ms = await timed(() => thread.prompt('And now?'));
        await thread.response(answer([say('Nothing changed.')]));
        return ms;
      },
      floor: () =>
        timed(() => {
          for (const path of paths) statSync(path);
        }),
    });
    await session.close();
    const name = `step with ${files.toLocaleString('en')} seen files`;
    /** @type {Pick<Measured, 'unit' | 'limit'>} */
    const figure = { unit: 'ms', limit: { type: 'ratio', most: 2 } };
    const last = { value: quantile(samples.value, 0.99), floor: quantile(samples.floor, 0.99) };
    return [judgeMedians({ ...figure, name: `${name}, p50` }, samples), judge({ ...figure, name: `${name}, p99`, ...last })];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
