import { expect, test } from 'vitest';
import { dateChange } from '../attachments/kinds/date-change.js';
import { answer, MemoryStore, say, testPorts } from '../testing/index.js';
import { openSession } from './open-session.js';
import { readTranscript } from './read-transcript.js';

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

test.each(['user', null] as const)('the file of a fork after a compaction is whole by itself (kept from: %s)', async (keep) => {
  const store = new MemoryStore();
  const options = { model: 'claude-opus-5-5', tools: [], system: 'x', store, ports: testPorts(), kinds: [dateChange] };
  const session = await openSession(options);
  const { main } = session;
  await main.prompt('One.');
  await main.response(answer([say('First.')]));
  const usage = { input_tokens: 9, output_tokens: 9, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  await session.spent({ model: 'claude-haiku-4-5', usage });
  const from = main.transcript.window.findLast(({ type }) => type === keep)?.id ?? null;
  await main.compact([{ type: 'text', text: 'Summary.' }], from);
  await main.prompt('More.');
  await main.response(answer([say('Second.')]));
  await session.close();
  const fork = await openSession({ ...options, resume: session.id, fork: true });
  const { request } = await fork.main.prompt('Two.');
  await fork.close();
  const file = store.file(fork.id);
  const named = file.flatMap((line) => line.match(/(?<="(?:parentUuid|logicalParentUuid)":")[^"]+/g) ?? []);
  expect(named.filter((id) => !file.some((line) => line.includes(`"uuid":"${id}"`)))).toEqual([]);
  const stored = await readTranscript(store, fork.id);
  expect(stored.notes).toEqual([]);
  // What was asked beside the conversation is paid for in the other session.
  expect(stored.records.filter((record) => record.type === 'state' && record.key === 'usage')).toEqual([]);
  const original = await openSession({ ...options, resume: session.id });
  expect(request.messages).toEqual((await original.main.prompt('Two.')).request.messages);
});
