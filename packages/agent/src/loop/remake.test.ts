import { profileOf } from '@sidenote/engine';
import { say } from '@sidenote/engine/testing';
import { expect, test } from 'vitest';
import { drain, ended, fails, resultOf, setUp, stopped } from './agent.testing.js';
import type { AgentEvent } from './events.js';

const overloaded = fails({ type: 'retry', status: 529, afterMs: 1, message: 'Overloaded.' });
const remade = (events: readonly AgentEvent[]) => events.flatMap((event) => (event.type === 'request-remade' ? [event.how] : []));

test('refused signatures and a refused role are recovered from once each, visibly, and the turn goes on', async () => {
  const signature = fails({ type: 'signature-refused', message: 'invalid signature' });
  const { agent, sent } = await setUp([signature, fails({ type: 'system-role-refused', message: 'no role' }), ended(say('fine'))]);
  const events = await drain(agent.run('go'));
  expect(remade(events)).toEqual([
    { cause: 'provider-refused', without: 'thinking' },
    { cause: 'provider-refused', without: 'system-message' },
  ]);
  expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'fine' });
  expect(sent).toHaveLength(3);
});

test('a server that refuses again fails the turn, and no third request is made', async () => {
  const refuses = fails({ type: 'signature-refused', message: 'invalid signature' });
  const { agent, sent } = await setUp([refuses, refuses]);
  const events = await drain(agent.run('go'));
  expect(resultOf(events)).toMatchObject({ reason: 'failed', text: 'invalid signature' });
  expect(sent).toHaveLength(2);
  await drain(agent.run('again'));
  expect(sent).toHaveLength(3);
});

test('after three overloads the fallback model goes on, and stays', async () => {
  const { agent, sent, clock } = await setUp([overloaded, overloaded, overloaded], { fallbackModel: 'claude-sonnet-5-5' });
  const events = await drain(
    agent.run('go'),
    (event) => void (event.type === 'retry-scheduled' && queueMicrotask(() => setImmediate(() => clock.advance(1)))),
  );
  expect(remade(events)).toEqual([{ cause: 'fallback', model: 'claude-sonnet-5-5' }]);
  await drain(agent.run('again'));
  expect(sent.map(({ model }) => model)).toEqual([
    ...['claude-opus-5-5', 'claude-opus-5-5', 'claude-opus-5-5'],
    ...['claude-sonnet-5-5', 'claude-sonnet-5-5'],
  ]);
});

test('a model that declines without a word is followed by the fallback; the fallback itself by nobody', async () => {
  const { agent, sent } = await setUp([stopped('refusal'), stopped('refusal')], { fallbackModel: 'claude-sonnet-5-5' });
  const events = await drain(agent.run('go'));
  expect(sent.map(({ model }) => model)).toEqual(['claude-opus-5-5', 'claude-sonnet-5-5']);
  expect(resultOf(events)).toMatchObject({ reason: 'failed' });
});

test('a fallback that nobody can reach changes nothing', async () => {
  const adapter = {
    profile: profileOf('claude-opus-5-5'),
    stream: (_plan: unknown, _body: unknown, signal: AbortSignal) => stopped('refusal')(signal),
  };
  const { agent } = await setUp([], {
    fallbackModel: 'nobody',
    adapter: (model) => {
      if (model === 'nobody') throw new Error('no key');
      return adapter;
    },
  });
  const events = await drain(agent.run('go'));
  expect(remade(events)).toEqual([]);
  expect(resultOf(events)).toMatchObject({ reason: 'failed' });
});

test('a server that is busy is given all its attempts when nobody could step in', async () => {
  const attempts = Array.from({ length: 3 }, () => overloaded);
  const { agent, sent, clock } = await setUp([...attempts, ended(say('at last'))], { fallbackModel: 'claude-opus-5-5' });
  const events = await drain(
    agent.run('go'),
    (event) => void (event.type === 'retry-scheduled' && queueMicrotask(() => setImmediate(() => clock.advance(1)))),
  );
  expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'at last' });
  expect(sent).toHaveLength(4);
});
