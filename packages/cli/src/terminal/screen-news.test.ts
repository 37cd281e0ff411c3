/** News of background work: a turn of its own, when nothing else runs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answer, simple, stage, turn } from './stage.testing.js';

it('news from the background opens a turn while nothing runs, and waits while something does', async () => {
  const { shows, hides, wakes, screen } = stage(async function* () {
    wakes(
      (async function* () {
        yield answer('The build is done.');
        yield { type: 'turn-ended', result: turn() };
      })(),
    );
    await hides('The build is done.');
    yield answer('First this.');
    yield { type: 'turn-ended', result: turn() };
  });
  await shows('test-model');
  screen.enter('go');
  await shows('The build is done.');
  expect(screen.text().indexOf('First this.')).toBeLessThan(screen.text().indexOf('The build is done.'));
});

it('news that come while a command of the person runs are told when it has ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'screen-news-'));
  const { shows, wakes, screen } = stage(simple);
  await shows('test-model');
  screen.enter(`!until [ -e ${folder}/go ]; do sleep 0.02; done`);
  await shows('! until');
  wakes(
    (async function* () {
      yield answer('The build is done.');
      yield { type: 'turn-ended', result: turn() };
    })(),
  );
  expect(screen.text()).not.toContain('The build is done.');
  await writeFile(join(folder, 'go'), '');
  await shows('The build is done.');
  await rm(folder, { recursive: true });
});

it('news that come while a command from a file is made ready are told when nothing comes of it', async () => {
  let refuse = (): void => {};
  const { shows, wakes, screen } = stage(simple, {
    commands: {
      list: async () => [],
      run: () => new Promise((resolve) => (refuse = () => resolve({ type: 'refused', text: 'nothing came of it' }))),
    },
  });
  await shows('test-model');
  screen.enter('/dig ');
  await shows('/dig');
  wakes(
    (async function* () {
      yield answer('The build is done.');
      yield { type: 'turn-ended', result: turn() };
    })(),
  );
  expect(screen.text()).not.toContain('The build is done.');
  refuse();
  await shows('The build is done.');
});
