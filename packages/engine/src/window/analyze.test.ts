/** The parts of a request, against the request itself. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSession } from '../session/open-session.js';
import type { SessionOptions, Thread } from '../session/session.js';
import { answer, call, MemoryStore, png, say, testPorts, think } from '../testing/index.js';
import type { Analysis, Part } from './analyze.js';
import { apportion } from './apportion.js';

const RULES = ['/p/AGENTS.md', '/p/lib/AGENTS.md'].map((path, index) => ({
  path,
  scope: 'project',
  text: `Rule of ${path}. `.repeat(20 * (index + 1)),
  status: 'loaded',
  reason: 'found',
}));

const open = (changes: Partial<SessionOptions> = {}) =>
  openSession({
    model: 'claude-opus-4-5',
    tools: [
      { name: 'Read', description: 'Reads.', input_schema: { type: 'object' } },
      { name: 'Edit', description: 'Edits.', input_schema: { type: 'object' } },
    ],
    system: [
      { name: 'identity', text: 'You fix bugs. '.repeat(1_500), static: true },
      { name: 'environment', text: 'Linux', static: false },
    ],
    store: new MemoryStore(),
    ports: { ...testPorts(), instructions: { read: () => ({ type: 'ready', value: RULES, version: '1' }) } },
    ...changes,
  });

const of = ({ analysis }: Pick<Thread, 'analysis'>): Analysis => {
  if (analysis === null) throw new Error('there is no request');
  return analysis;
};
const part = ({ parts }: Analysis, type: Part['type'], name?: string): Part | undefined =>
  parts.find((one) => one.type === type && (name === undefined || one.name === name));
const sum = (parts: readonly Part[], key: 'characters' | 'tokens' | 'added' | 'cached' | 'freed') =>
  parts.reduce((all, one) => all + one[key], 0);

function addsUp(analysis: Analysis, request: object): void {
  expect(analysis.characters).toBe(JSON.stringify(request).length);
  for (const key of ['characters', 'tokens', 'added', 'cached', 'freed'] as const) expect(sum(analysis.parts, key)).toBe(analysis[key]);
}

test('every byte has one owner, and all of it adds up', async () => {
  const session = await open();
  const { main } = session;
  expect(main.analysis).toBeNull();
  const step = await main.prompt('Fix it.');
  const first = of(main);
  addsUp(first, step.request);
  expect(first.parts.map(({ type, name, by, role }) => [type, name, by, role].join(' '))).toMatchInlineSnapshot(`
    [
      "tool Read client tools",
      "tool Edit client tools",
      "section identity client system",
      "section environment client system",
      "attachment project_instructions client user",
      "attachment date_change client user",
      "prompt human person user",
      "format JSON format none",
    ]
  `);
  expect(first).toMatchObject({ by: 'estimated', window: 200_000, cached: 0, tokens: main.fullness.tokens });
  expect(part(first, 'section')).toMatchObject({ freed: 0, added: 0, count: 1 });
  await session.close();
});

test('instruction files share what the attachment that tells them takes', async () => {
  const session = await open();
  await session.main.prompt('Fix it.');
  const told = part(of(session.main), 'attachment', 'project_instructions');
  expect(told?.files.map(({ path }) => path)).toEqual(RULES.map(({ path }) => path));
  const [small, large] = told?.files ?? [];
  expect(large?.tokens).toBeGreaterThan(1.8 * (small?.tokens ?? 0));
  expect((small?.characters ?? 0) + (large?.characters ?? 0)).toBeLessThan(told?.characters ?? 0);
  // A compaction brings them again.
  expect(told?.freed).toBe(0);
  await session.close();
});

test('after an answer the whole is what the provider reported, and later turns show as growth', async () => {
  const session = await open();
  const { main } = session;
  const { request } = await main.prompt('Fix it.');
  await main.response({
    ...answer([say('Done.')], 'claude-opus-4-5'),
    usage: { input_tokens: 20_000, output_tokens: 5, cache_read_input_tokens: null, cache_creation_input_tokens: null },
  });
  const answered = of(main);
  addsUp(answered, request);
  expect(answered).toMatchObject({ by: 'reported', tokens: 20_000 });
  // What was counted beyond all texts is no one's.
  expect(part(answered, 'format')?.tokens).toBeGreaterThan(8_000);
  const next = await main.prompt('And then? '.repeat(50));
  const grown = of(main);
  addsUp(grown, next.request);
  expect(part(grown, 'prompt')).toMatchObject({ count: 2 });
  expect(grown.added).toBeGreaterThan(100);
  expect(grown.added).toBeLessThan(part(grown, 'prompt')?.tokens ?? 0);
  expect(grown.cached).toBeGreaterThan(0);
  expect(grown.freed).toBe(
    sum(
      grown.parts.filter(({ type }) => type === 'prompt' || type === 'answer'),
      'tokens',
    ),
  );
  await session.close();
});

test('an image takes what its rule says, and a signature nothing', async () => {
  const session = await open({ kinds: [] });
  const { main } = session;
  const asked = call('Read', {});
  await main.prompt('Look.');
  await main.response(answer([think('s'.repeat(400)), asked], 'claude-opus-4-5'));
  await main.result(asked.id, { content: [png({ width: 280, height: 280 })] });
  const { request } = await main.next();
  const seen = of(main);
  addsUp(seen, request);
  expect(part(seen, 'result', 'Read')?.tokens).toBeLessThan(2_000);
  const session2 = await open({ kinds: [] });
  await session2.main.preview('Only looked at.');
  expect(of(session2.main)).toMatchObject({ by: 'estimated' });
  await Promise.all([session.close(), session2.close()]);
});

test('a callback measures each answer, and what it throws is only reported', async () => {
  const seen: string[] = [];
  const session = await open({
    measure: ({ by, tokens, parts }) => {
      seen.push(`${by} ${tokens} ${parts.length}`);
      if (seen.length === 2) throw new Error('no disk');
    },
  });
  const { main } = session;
  for (const words of ['One.', 'Two.']) {
    await main.prompt(words);
    await main.response(answer([say('Well.')], 'claude-opus-4-5'));
  }
  expect(seen).toEqual(['reported 10 8', 'reported 10 9']);
  const { report } = await main.prompt('Three.');
  expect(report.filter(({ kind }) => kind === 'measure')).toEqual([{ kind: 'measure', outcome: 'failed', ms: 0, why: 'no disk' }]);
  expect((await main.preview('Four.')).report.filter(({ kind }) => kind === 'measure')).toEqual([]);
  await session.close();
});

test('shares are whole and sum up, whatever the weights', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.array(fc.float({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }), (total, weights) => {
      const shares = apportion(total, weights);
      expect(shares.reduce((all, share) => all + share, 0)).toBe(total);
      expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true);
    }),
  );
});
