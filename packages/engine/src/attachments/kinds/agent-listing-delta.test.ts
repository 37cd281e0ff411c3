import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { testDigest } from '../../testing/index.js';
import type { AttachmentRecord } from '../../transcript/records.js';
import { agentListingDelta } from './agent-listing-delta.js';
import { ask, source, type Asked } from './kind.testing.js';

const agent = (name: string, description: string) => ({ name, description });
const portsOf = (...agents: ReturnType<typeof agent>[]) => ({ agents: source(agents), digest: testDigest });

/** All that is told, message by message, until there is nothing new. */
async function untilSilent(records: readonly AttachmentRecord[], ports: ReturnType<typeof portsOf>): Promise<readonly Asked[]> {
  const told: Asked[] = [];
  for (;;) {
    const asked = await ask(agentListingDelta, { records: [...records, ...told.flatMap((one) => one.records)], ports });
    if (asked.type === 'nothing') return told;
    told.push(asked);
    expect(told.length).toBeLessThan(50);
  }
}

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

test('more that are gone than one record holds are told over several messages, each once', async () => {
  const many = Array.from({ length: 300 }, (_, n) => agent(`agent-with-a-long-name-${n}`, 'x'));
  const told = await untilSilent([], portsOf(...many));
  const gone = await untilSilent(
    told.flatMap(({ records }) => records),
    portsOf(),
  );
  expect(gone.length).toBeGreaterThan(1);
  for (const { record } of gone) expect(JSON.stringify(record?.data).length).toBeLessThan(4096);
  const names = gone.flatMap(({ text }) => text.match(/agent-[\w-]+/g) ?? []);
  expect(names.toSorted()).toEqual(many.map(({ name }) => name).toSorted());
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
        for (const { record, records: more } of await untilSilent(records, ports)) {
          expect(JSON.stringify(record?.data).length).toBeLessThan(4096);
          records.push(...more);
        }
        const known = records.reduce(agentListingDelta.told.step, agentListingDelta.told.initial());
        expect([...known.keys()].sort()).toEqual(now.map(([n]) => `agent-with-a-long-name-${n}`).sort());
      }
    }),
    { numRuns: 25 },
  );
});
