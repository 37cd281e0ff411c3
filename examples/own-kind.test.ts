/** A kind of one's own keeps every law and says a thing once, also in a resumed session. */
import { openSession } from '@sidenote/engine';
import { answer, LawChecker, MemoryStore, say, testPorts } from '@sidenote/engine/testing';
import { expect, test } from 'vitest';
import { releaseTrain } from './own-kind.js';

test('it is told once, again when it changed, and an unavailable calendar is reported instead of told', async () => {
  let train: string | null = '12.3';
  const laws = new LawChecker();
  const options = {
    model: 'claude-opus-5-5',
    tools: [],
    system: 'You prepare releases.',
    store: new MemoryStore(),
    ports: testPorts(),
    kinds: [releaseTrain(async () => train)],
  };
  const session = await openSession(options);
  const said = async (words: string, thread = session.main) => {
    const step = laws.check(await thread.prompt(words), thread);
    await thread.response(answer([say('Noted.')]));
    return step;
  };

  expect((await said('Go.')).injected).toEqual([{ kind: 'release_train', title: 'release train 12.3' }]);
  expect((await said('Go on.')).injected).toEqual([]);
  train = null;
  const silent = await said('And now?');
  expect(silent.injected).toEqual([]);
  expect(silent.report).toContainEqual(expect.objectContaining({ kind: 'release_train', outcome: 'unavailable' }));
  train = '12.4';
  expect((await said('And now?')).injected).toEqual([{ kind: 'release_train', title: 'release train 12.4' }]);
  await session.close();

  const resumed = await openSession({ ...options, resume: session.id });
  expect((await said('Still there?', resumed.main)).injected).toEqual([]);
  await resumed.close();
});
