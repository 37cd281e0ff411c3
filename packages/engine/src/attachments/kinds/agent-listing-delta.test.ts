import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { testDigest } from '../../testing/index.js';
import type { AttachmentRecord } from '../../transcript/records.js';
import { agentListingDelta } from './agent-listing-delta.js';
import { ask, source } from './kind.testing.js';

const agent = (name: string, description: string) => ({ name, description });
const portsOf = (...agents: ReturnType<typeof agent>[]) => ({ agents: source(agents), digest: testDigest });

test('told once, then only what changed', async () => {
  const first = await ask(agentListingDelta, { ports: portsOf(agent('Explore', 'Finds things.\nQuickly.'), agent('own', 'Does it.')) });
  expect(first.text).toBe('Types of agents that the Agent tool can start:\n- Explore: Finds things. Quickly.\n- own: Does it.');
  const same = portsOf(agent('Explore', 'Finds things.\nQuickly.'), agent('own', 'Does it.'));
  expect((await ask(agentListingDelta, { records: first.records, ports: same })).type).toBe('nothing');
  const changed = await ask(agentListingDelta, {
    records: first.records,
    ports: portsOf(agent('own', 'Does it well.'), agent('new', 'x')),
  });
  expect(changed.text).toBe(
    'Types of agents that the Agent tool can start:\n- new: x\n\nDescribed anew:\n- own: Does it well.\n\nNo longer there: Explore.',
  );
});

test('what can’t be read is not told as gone', async () => {
  const first = await ask(agentListingDelta, { ports: portsOf(agent('own', 'Does it.')) });
  const ports = { agents: { read: () => ({ type: 'unavailable' as const, why: 'disk' }) }, digest: testDigest };
  expect(await ask(agentListingDelta, { records: first.records, ports })).toMatchObject({ type: 'unavailable', why: 'disk' });
});

test('many long ones share the room, and the cut is said', async () => {
  const many = Array.from({ length: 60 }, (_, n) => agent(`agent-${n}`, 'word '.repeat(200)));
  const told = await ask(agentListingDelta, { ports: portsOf(...many) });
  expect(told.text.length).toBeLessThan(16_000);
  expect(told.cut).toBe('the end of 60 descriptions of agents');
});

test('whatever comes and goes, the model ends up knowing what is there', async () => {
  const state = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.constantFrom('a', 'b')), {
    selector: ([n]) => n,
    maxLength: 200,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 1, maxLength: 4 }), async (states) => {
      const records: AttachmentRecord[] = [];
      for (const now of states) {
        const ports = portsOf(...now.map(([n, text]) => agent(`agent-with-a-long-name-${n}`, text)));
        for (let asks = 0; ; asks++) {
          const told = await ask(agentListingDelta, { records, ports });
          if (told.type === 'nothing') break;
          expect(asks).toBeLessThan(20);
          expect(JSON.stringify(told.record?.data).length).toBeLessThan(4096);
          records.push(...told.records);
        }
        const known = records.reduce(agentListingDelta.told.step, agentListingDelta.told.initial());
        expect([...known.keys()].sort()).toEqual(now.map(([n]) => `agent-with-a-long-name-${n}`).sort());
      }
    }),
    { numRuns: 25 },
  );
});
