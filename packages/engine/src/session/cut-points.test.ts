/** A process may die at any byte: whatever was shown or sent by then is there, and what was sent stays as it was. */
import { describe, expect, test } from 'vitest';
import { builtInKinds } from '../attachments/kinds/index.js';
import type { Returned } from '../content/content.js';
import { answer, bare, call, FakeClock, LawChecker, MemoryStore, say, testPorts, think } from '../testing/index.js';
import type { MessagesBody } from '../request/wire.js';
import { openSession } from './open-session.js';
import { readTranscript } from './read-transcript.js';
import type { Transcript } from '../transcript/fold.js';
import { SessionNotFoundError } from '../transcript/errors.js';
import type { SessionOptions, Step } from './session.js';

/** Something a person or a provider has seen, and how many lines were in the file then. */
type Acknowledged = { readonly text: string; readonly lines: number; readonly sent?: MessagesBody; readonly notice?: true };

const SESSION = '5e551011-0000-4000-8000-000000000000';

/** One session with everything in it that is written, and what was acknowledged when. */
async function script() {
  const clock = new FakeClock();
  const store = new MemoryStore();
  const laws = new LawChecker();
  const acknowledged: Acknowledged[] = [];
  const options: SessionOptions = {
    model: 'claude-opus-5-5',
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
    system: [
      { name: 'rules', text: 'Be good.', static: true },
      { name: 'environment', text: 'Here.', static: false },
    ],
    store,
    kinds: builtInKinds,
    ports: {
      ...testPorts(clock),
      instructions: {
        read: () => ({
          type: 'ready',
          value: [{ path: '/p/AGENTS.md', scope: 'project', text: 'RULES 🧊', status: 'loaded', reason: 'found' }],
          version: '1',
        }),
      },
      git: { read: () => ({ type: 'ready', value: { text: 'branch main' }, version: '1' }) },
    },
  };
  const session = await openSession({ ...options, id: SESSION });
  const thread = session.main;
  const saw = (text: string, more: Partial<Acknowledged> = {}) => acknowledged.push({ text, lines: store.file(SESSION).length, ...more });
  const sent = (step: Step, text: string) => saw(text, { sent: laws.check(step, thread).request });
  const answers = async (blocks: readonly Returned[], text: string) => {
    const calls = await thread.response(answer(blocks));
    saw(text);
    return calls;
  };
  for (let turn = 0; turn < 8; turn++) {
    sent(await thread.prompt(`prompt-${turn}-end 🧊`), `prompt-${turn}-end`);
    const calls = await answers(
      [think(`thought ${turn}`), say(`answer-${turn}-end\n🧊`), ...Array.from({ length: 1 + (turn % 3) }, (_, n) => call('Read', { n }))],
      `answer-${turn}-end`,
    );
    for (const one of calls.toReversed()) {
      await thread.result(one.id, `result-${turn}-${one.id}-end`);
      saw(`result-${turn}-${one.id}-end`);
    }
    if (turn % 2 === 0) {
      await session.notify({ text: `notice-${turn}-end`, trust: 'client', wake: false });
      saw(`notice-${turn}-end`, { notice: true });
    }
    if (turn % 3 === 0) {
      await thread.steer(`steered-${turn}-end`);
      saw(`steered-${turn}-end`);
    }
    clock.advance(turn === 5 ? 86_400_000 : 60_000);
    sent(await thread.next(), `result-${turn}-`);
    if (turn === 3) {
      await thread.aside('Sum up.', 'summary');
      const kept = thread.transcript.window.findLast((record) => record.type === 'user')?.id ?? null;
      sent(await thread.compact([{ type: 'text', text: 'summary-3-end' }], kept, 'auto'), 'summary-3-end');
    }
    await answers([say(`done-${turn}-end`)], `done-${turn}-end`);
    if (turn === 4) await session.set('effort', 'high');
    if (turn === 6) {
      const back = thread.transcript.window.findLast((record) => record.type === 'assistant' && record.id !== thread.transcript.head);
      await thread.rewind(back?.id ?? '');
    }
  }
  await session.close();
  return { lines: [...store.file(SESSION)], acknowledged, options, laws, batches: store.writes };
}

/** Everything that the file holds, as one text. */
const held = (transcript: Transcript): string =>
  (
    transcript.read({
      name: 'everything',
      scope: 'session',
      on: ['user', 'assistant', 'tool_result', 'attachment', 'queue'],
      initial: (): string[] => [],
      step: (all, record) => [...all, JSON.stringify(record)],
    }) as string[]
  ).join('\n');

const delivered = (transcript: Transcript): string =>
  (
    transcript.read({
      name: 'delivered',
      scope: 'chain',
      on: ['attachment'],
      initial: (): string[] => [],
      step: (all, record) => (record.type === 'attachment' ? [...all, JSON.stringify(record.content)] : all),
    }) as string[]
  ).join('\n');

/** After these lines a request need not begin with the one before it. */
const NEW_WINDOW = /"subtype":"compact_boundary"|"key":"(?:head|effort)"/;

/** Opens what was left of the file, says something, and checks all of it. */
async function goOn(
  lines: readonly string[],
  whole: number,
  { acknowledged, options, laws }: Awaited<ReturnType<typeof script>>,
): Promise<void> {
  const store = new MemoryStore();
  store.file(SESSION).push(...lines);
  const seen = acknowledged.filter((one) => one.lines <= whole);
  const open = () => openSession({ ...options, store, resume: SESSION });
  const session = await open().catch((error: unknown) => {
    if (SessionNotFoundError.isInstance(error) && seen.length === 0) return undefined;
    throw error;
  });
  if (session === undefined) return;
  const stored = async () => (await readTranscript(store, SESSION)).transcript;
  const before = held(await stored());
  for (const { text } of seen) expect(before).toContain(text);
  const step = laws.check(await session.main.prompt('after the cut'), session.main);
  const texts = delivered(await stored());
  for (const { text } of seen.filter((one) => one.notice === true)) expect(texts.split(text)).toHaveLength(2);
  const last = seen.findLast((one) => one.sent !== undefined);
  if (last?.sent !== undefined && !lines.slice(last.lines).some((line) => NEW_WINDOW.test(line))) {
    const { messages } = last.sent;
    expect(bare(step.request.messages.slice(0, messages.length))).toBe(bare(messages));
    expect(step.plan.sealed).toBe(messages.length);
  }
  await session.main.response(answer([say('fine')]));
  await session.close();
  const again = await open();
  expect(again.main.transcript.window).toEqual(session.main.transcript.window);
  laws.check(await again.main.prompt('and once more'), again.main);
  await again.close();
}

describe('a session that ends', () => {
  test('between two lines goes on from what was acknowledged', { timeout: 120_000 }, async () => {
    const all = await script();
    expect(all.batches).toBeGreaterThanOrEqual(50);
    for (let cut = 0; cut <= all.lines.length; cut++) await goOn(all.lines.slice(0, cut), cut, all);
  });

  test('inside a line goes on from what was acknowledged, and tells of it', { timeout: 120_000 }, async () => {
    const all = await script();
    for (const [cut, line] of all.lines.entries()) {
      const bytes = Buffer.from(line);
      const ice = bytes.indexOf(Buffer.from('🧊'));
      const at = ice > 0 ? ice + 2 : 1 + ((cut * 37) % (bytes.length - 1));
      await goOn([...all.lines.slice(0, cut), bytes.subarray(0, at).toString('utf8')], cut, all);
    }
  });
});

test('half a character in an answer spoils no later request, here or after a resume', async () => {
  const { options, laws } = await script();
  const store = new MemoryStore();
  const session = await openSession({ ...options, store });
  laws.check(await session.main.prompt('One.'), session.main);
  await session.main.response(answer([say('torn \ud83e'), call('Read', { '\ud83e': 'a\udc00' }, 'A')]));
  await session.main.result('A', 'half \ud83e');
  const step = laws.check(await session.main.next(), session.main);
  await session.main.response(answer([say('fine')]));
  await session.close();
  const again = await openSession({ ...options, store, resume: session.id });
  const later = laws.check(await again.main.prompt('Two.'), again.main);
  expect(later.plan.sealed).toBe(step.request.messages.length);
});
