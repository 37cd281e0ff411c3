import { expect, test } from 'vitest';
import { answer, MemoryStore, say, testPorts } from '../testing/index.js';
import { openSession } from './open-session.js';

test('a fork tells what its load left out, as a resume does', async () => {
  const store = new MemoryStore();
  const options = { model: 'claude-opus-5-5', tools: [], system: 'x', store, ports: testPorts(), kinds: [] };
  const session = await openSession(options);
  await session.main.prompt('One.');
  await session.main.response(answer([say('First.')]));
  await session.close();
  store.file(session.id).push('{"torn');
  const resumed = await openSession({ ...options, resume: session.id });
  await resumed.close();
  const fork = await openSession({ ...options, resume: session.id, fork: true });
  expect(resumed.notes).toHaveLength(1);
  expect(fork.notes).toEqual(resumed.notes);
  store.file('broken').push('no line at all');
  await expect(openSession({ ...options, resume: 'broken', fork: true })).rejects.toMatchObject({
    name: 'SessionNotFoundError',
    session: 'broken',
  });
});
