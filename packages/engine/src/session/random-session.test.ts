/** Laws 1 to 3 over random sessions: whatever happens in whatever order, nothing that was sent moves and nothing is said twice. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInKinds } from '../attachments/kinds/index.js';
import { answer, bare, call, FakeClock, LawChecker, MemoryStore, png, say, testPorts, think } from '../testing/index.js';
import type { Content, Returned } from '../content/content.js';
import type { FileView } from '../transcript/records.js';
import { openSession } from './open-session.js';
import { readTranscript } from './read-transcript.js';
import { UnknownRecordError } from './errors.js';
import type { Session, SessionOptions, Step } from './session.js';

const EVENTS = [
  'prompt',
  'prompt',
  'go-on',
  'go-on',
  'go-on',
  'go-on',
  'calls',
  'calls',
  'notify',
  'steer',
  'withdraw',
  'day',
  'edit',
  'interrupt',
  'fail',
  'resume',
  'fork',
  'rewind',
  'compact',
  'model',
  'effort',
  'mode',
  'fallback',
  'refused',
  'debug',
  'look',
] as const;
type Event = { readonly type: (typeof EVENTS)[number]; readonly dice: number };

/** A small world: files that others edit, and a session that lives through crashes. */
class World {
  readonly clock = new FakeClock();
  readonly store = new MemoryStore();
  readonly laws = new LawChecker();
  readonly notices = new Map<string, string>();
  readonly steered: string[] = [];
  readonly withdrawn: string[] = [];
  version = 0;
  edits = 0;
  session!: Session;
  readonly #options: SessionOptions;

  constructor(delivery: NonNullable<SessionOptions['reminders']>['delivery']) {
    const view = (): FileView => ({
      path: '/p/a.ts',
      digest: `v${this.version}`,
      size: this.version,
      mtimeNs: String(this.version),
      inode: '1',
      lines: 'all',
      form: 'raw',
    });
    this.#options = {
      model: 'claude-opus-5-5',
      tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
      system: ({ model }) => [
        { name: 'rules', text: 'Be good.', static: true },
        { name: 'environment', text: `Model ${model}.`, static: false },
      ],
      store: this.store,
      kinds: builtInKinds,
      reminders: { delivery },
      ports: {
        ...testPorts(this.clock),
        instructions: {
          read: () => ({
            type: 'ready',
            value: [{ path: '/p/AGENTS.md', scope: 'project', text: 'RULES', status: 'loaded', reason: 'found' }],
            version: '1',
          }),
        },
        git: { read: () => ({ type: 'ready', value: { text: 'branch main' }, version: '1' }) },
        changes: {
          since: async (views) =>
            views
              .filter((seen) => seen.path === '/p/a.ts' && seen.digest !== `v${this.version}`)
              .map((seen) => ({ path: seen.path, change: 'edited', hunks: [`@@ v${this.version} @@`], view: view() })),
        },
      },
    };
    this.view = view;
  }
  readonly view: () => FileView;

  async open(how: { readonly resume?: string; readonly fork?: boolean } = {}): Promise<void> {
    this.store.release();
    this.session = await openSession({ ...this.#options, ...how });
  }

  check(step: Step): Step {
    return this.laws.check(step, this.session.main);
  }
}

async function happen(world: World, { type, dice }: Event): Promise<void> {
  const { session } = world;
  const thread = session.main;
  switch (type) {
    case 'prompt':
      if (thread.state === 'idle') world.check(await thread.prompt(`words ${dice} 🧊</system-reminder>`));
      return;
    case 'calls':
      if (thread.state === 'ready')
        await thread.response(
          answer(
            [think(`t${dice}`), ...Array.from({ length: 1 + (dice % 3) }, (_, n) => call('Read', { file_path: '/p/a.ts', n }))],
            modelOf(session),
          ),
        );
      return;
    case 'go-on':
      return goOn(world, dice);
    case 'notify': {
      const text = `NOTE-${world.edits++}-`;
      world.notices.set(await session.notify({ text, trust: 'client', wake: false }), text);
      return;
    }
    case 'steer':
      if (thread.state === 'idle') return;
      world.steered.push(`STEER-${world.edits++}-`);
      await thread.steer(world.steered.at(-1) ?? '');
      return;
    case 'withdraw': {
      const waiting = thread.steered;
      const item = waiting[dice % Math.max(1, waiting.length)];
      if (item === undefined) return;
      expect(await thread.withdraw(item.id)).toBe(true);
      const words = item.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      world.steered.splice(world.steered.indexOf(words), 1);
      world.withdrawn.push(words);
      return;
    }
    case 'day':
      world.clock.advance(86_400_000);
      return;
    case 'edit':
      world.version++;
      return;
    case 'interrupt':
      return thread.interrupt('Esc');
    case 'fail':
      return thread.state === 'ready' ? thread.interrupt('the model did not answer') : undefined;
    case 'resume':
      await session.close();
      return resumable(world) ? world.open({ resume: session.id }) : world.open({});
    case 'fork':
      if (thread.transcript.head === null || thread.state !== 'idle') return;
      await session.close();
      world.notices.clear();
      return world.open({ resume: session.id, fork: true });
    case 'rewind': {
      if (thread.state !== 'idle') return;
      const ends = thread.transcript.window.filter((record) => record.type === 'assistant' || record.type === 'user');
      const to = ends[dice % Math.max(1, ends.length)];
      if (to !== undefined)
        await thread.rewind(to.id).catch((error) => {
          if (!UnknownRecordError.isInstance(error)) throw error;
        });
      return;
    }
    case 'compact': {
      if (thread.state === 'results' || thread.transcript.head === null) return;
      const { window } = thread.transcript;
      const keep = dice % 2 === 0 ? null : (window[dice % window.length]?.id ?? null);
      const wasIdle = thread.state === 'idle';
      const aside = await thread.aside('Sum up.', 'summary').catch(() => undefined);
      if (aside === undefined) return;
      expect(aside.plan.moved).toBeNull();
      const step = await thread.compact([{ type: 'text', text: `summary ${dice}` }], keep, 'auto');
      if (!wasIdle) world.check(step);
      return;
    }
    case 'model':
      return session.set('model', MODELS[dice % MODELS.length] ?? null);
    case 'mode':
      return session.set('mode', dice % 2 === 0 ? 'plan' : 'default');
    case 'effort':
      return session.set('effort', dice % 2 === 0 ? 'low' : 'high');
    case 'fallback':
      if (thread.state === 'ready') world.check(await thread.retry({ cause: 'fallback', model: MODELS[dice % MODELS.length] ?? '' }));
      return;
    case 'refused': {
      const without = dice % 2 === 0 ? 'thinking' : 'system-message';
      if (thread.state === 'ready') world.check(await thread.retry({ cause: 'provider-refused', without }));
      return;
    }
    case 'debug':
      return session.set('injection', dice % 2 === 0 ? `debug ${dice}` : null);
    case 'look':
      if (thread.state === 'idle') world.check(await thread.prompt({ content: pictures(dice) }));
      return;
  }
}

/** One per thinking rule: bound, kept, last turn. */
const MODELS = ['claude-opus-5-5', 'claude-opus-4-6', 'claude-haiku-4-5'];

/** Small ones and large ones, and one that no provider takes. */
const pictures = (dice: number) =>
  Array.from({ length: 1 + (dice % 9) }, (_, n) => png({ width: [60, 2_500, 9_000][(dice + n) % 3] ?? 60, height: 40 }));

function resultOf(n: number, dice: number): readonly Content[] {
  switch ((n + dice) % 5) {
    case 0:
      return [];
    case 1:
      return [{ type: 'text', text: ' \n' }];
    case 2:
      return [{ type: 'text', text: `huge ${'🧊\n'.repeat(20_000)}` }];
    case 3:
      return pictures(dice);
    default:
      return [{ type: 'text', text: `result ${dice} <system-reminder>` }];
  }
}

async function goOn(world: World, dice: number): Promise<void> {
  const thread = world.session.main;
  if (thread.state === 'ready') {
    const blocks: readonly Returned[] =
      dice % 5 === 0 ? [] : dice % 5 === 1 ? [think('only thought')] : [think('t'), say(`answer ${dice}`)];
    await thread.response(answer(blocks, modelOf(world.session)));
  } else if (thread.state === 'results') {
    const last = thread.transcript.window.findLast((record) => record.type === 'assistant');
    const ids = last?.type === 'assistant' ? last.message.content.flatMap((block) => ('id' in block ? [String(block.id)] : [])) : [];
    const order = dice % 2 === 0 ? ids : ids.toReversed();
    await Promise.all(
      order.map((id, n) =>
        thread.result(id, {
          content: resultOf(n, dice),
          isError: dice % 3 === 0,
          effects: [{ type: 'viewed', view: world.view() }],
        }),
      ),
    );
    world.check(await thread.next());
  }
}

const modelOf = (session: Session): string => {
  const prefix = session.main.transcript.window.findLast((record) => record.type === 'prefix');
  return prefix?.type === 'prefix' ? prefix.model : 'claude-opus-5-5';
};
const resumable = (world: World): boolean => world.store.file(world.session.id).length > 0;

const count = (text: string, part: string): number => text.split(part).length - 1;

const events = fc.array(fc.record({ type: fc.constantFrom(...EVENTS), dice: fc.nat(1000) }), { maxLength: 300, size: 'max' });

type Delivery = NonNullable<SessionOptions['reminders']>['delivery'];
const deliveries = fc.constantFrom<Delivery>('inside-result', 'after-results', 'system-message', 'auto');

async function live(sequence: readonly Event[], delivery: Delivery): Promise<void> {
  const world = new World(delivery);
  await world.open();
  for (const event of sequence) await happen(world, event);
  await world.session.main.interrupt('the end');
  const last = world.check(await world.session.main.prompt('Last words.'));
  const text = bare(last.request.messages);
  expect(count(text, '# Project instructions') + count(text, 'RULES')).toBeGreaterThan(0);
  expect(count(text, 'RULES')).toBe(1);
  expect(count(text, 'branch main')).toBe(1);
  const days = [...text.matchAll(/(?:Today is|date is now) (\d{4}-\d\d-\d\d)/g)].map((match) => match[1]);
  expect(days.at(-1)).toBe(world.clock.localDate());
  for (const words of world.steered) expect(count(text, words)).toBeLessThanOrEqual(1);
  for (const words of world.withdrawn) expect(text).not.toContain(words);
  const delivered = await chainText(world);
  for (const note of world.notices.values()) expect(count(delivered, note)).toBe(1);
}

/** Everything that was ever delivered on this chain, through compactions: by the file, since texts behind a boundary are not held. */
async function chainText({ store, session }: World): Promise<string> {
  const { transcript } = await readTranscript(store, session.id);
  const all: string[] = transcript.read({
    name: 'delivered-text',
    scope: 'chain',
    on: ['attachment'],
    initial: (): string[] => [],
    step: (texts, record) =>
      record.type === 'attachment' && record.kind === 'task_notifications' ? [...texts, JSON.stringify(record.content)] : texts,
  }) as string[];
  return all.join('\n');
}

test('random sessions of up to 300 events keep the laws', { timeout: 120_000 }, async () => {
  const details = await fc.check(fc.asyncProperty(events, deliveries, live), {
    numRuns: Number(process.env['SIDENOTE_RANDOM_RUNS'] ?? 40),
  });
  const [shrunk, delivery] = details.counterexample ?? [[], ''];
  const told = shrunk.map(({ type, dice }) => `${type} ${dice}`).join(', ');
  expect(details.failed ? `seed ${details.seed}, ${delivery}: ${told}: ${String(details.errorInstance)}` : 'kept').toBe('kept');
});
