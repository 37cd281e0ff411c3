import { expect, test } from 'vitest';
import { defineAttachment, lastOf } from '../attachments/contract.js';
import { FakeClock } from '../testing/fake-clock.js';
import { MemoryStore } from '../testing/index.js';
import { testPorts } from '../testing/test-ports.js';
import { openSession } from './open-session.js';

const listing = defineAttachment({
  kind: 'listing',
  version: 1,
  needs: [],
  tool: 'Lister',
  group: 'thread',
  wait: 'may',
  trust: 'client',
  told: lastOf('listing', () => true),
  decode: () => ({}),
  collect: (_moment, told) => (told.value === undefined ? { type: 'new', data: {} } : { type: 'nothing' }),
  render: () => ({ content: [{ type: 'text', text: 'Use Lister.' }] }),
  title: () => 'listing',
  reason: () => 'not told yet',
});

const open = (tools: readonly string[]) =>
  openSession({
    model: 'claude-opus-5-5',
    tools: tools.map((name) => ({ name, description: name, input_schema: { type: 'object' as const } })),
    system: 'Test.',
    store: new MemoryStore(),
    ports: testPorts(new FakeClock()),
    kinds: [listing],
  });

test('a kind that sends the model to a tool is off where the tool is not, and the report says so', async () => {
  const without = await (await open(['Read'])).main.prompt('go');
  expect(JSON.stringify(without.request.messages)).not.toContain('Use Lister.');
  expect(without.report).toContainEqual({ kind: 'listing', outcome: 'off', ms: 0, why: 'there is no tool Lister in this thread' });
  const having = await (await open(['Read', 'Lister'])).main.prompt('go');
  expect(JSON.stringify(having.request.messages)).toContain('Use Lister.');
});
