/** Law 1 through compactions: wherever they fall, every live source stands in the window exactly once, and so does every file seen. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInKinds } from '../attachments/kinds/index.js';
import { viewsFold } from '../attachments/parts/views.js';
import { answer, bare, call, FakeClock, LawChecker, MemoryStore, say, testPorts } from '../testing/index.js';
import { summaryContent } from '../window/summary-words.js';
import { keptTail } from '../window/kept-tail.js';
import type { FileView } from '../transcript/records.js';
import { openSession } from './open-session.js';
import type { Session, SessionOptions, Step } from './session.js';

const FILES = ['/p/a.ts', '/p/b.ts', '/p/lib/c.ts', '/p/lib/d.ts', '/p/e.ts', '/p/f.ts', '/p/g.ts'] as const;
const EVENTS = ['prompt', 'answer', 'read', 'read', 'read', 'results', 'compact', 'resume', 'fork', 'rewind', 'day'] as const;
type Event = { readonly type: (typeof EVENTS)[number]; readonly dice: number };

const bodyOf = (path: string): string => `1\tBODY-${path}-`;
const viewOf = (path: string): FileView => ({ path, digest: `d${path}`, size: 1, mtimeNs: '1', inode: '1', lines: 'all', form: 'raw' });
const instruction = (path: string, text: string) => ({ path, scope: 'project', text, status: 'loaded', reason: 'found' });

/** Identity: a session that lives on, and what it has sent. */
class World {
  readonly clock = new FakeClock();
  readonly store = new MemoryStore();
  readonly laws = new LawChecker();
  readonly options: SessionOptions = {
    model: 'claude-opus-5-5',
    tools: ['Read', 'Agent'].map((name) => ({ name, description: name, input_schema: { type: 'object' } })),
    system: 'Help.',
    store: this.store,
    kinds: builtInKinds,
    ports: {
      ...testPorts(this.clock),
      instructions: { read: () => ({ type: 'ready', value: [instruction('/p/AGENTS.md', 'RULES-')], version: '1' }) },
      nested: {
        below: async (paths) => (paths.some((path) => path.startsWith('/p/lib/')) ? [instruction('/p/lib/AGENTS.md', 'NESTED-')] : []),
      },
      git: { read: () => ({ type: 'ready', value: { text: 'BRANCH-' }, version: '1' }) },
      agents: { read: () => ({ type: 'ready', value: [{ name: 'AGENT-TYPE-', description: 'helps' }], version: '1' }) },
      mentions: { find: () => [], read: async ({ path }) => ({ type: 'file', path, text: bodyOf(path), view: viewOf(path) }) },
    },
  };
  session!: Session;

  async open(how: { readonly resume?: string; readonly fork?: boolean } = {}): Promise<void> {
    this.store.release();
    this.session = await openSession({ ...this.options, ...how });
  }

  check(step: Step): void {
    this.laws.check(step, this.session.main);
  }
}

async function happen(world: World, { type, dice }: Event): Promise<void> {
  const { session } = world;
  const thread = session.main;
  switch (type) {
    case 'prompt':
      if (thread.state === 'idle') world.check(await thread.prompt(`words ${dice}`));
      return;
    case 'answer':
      if (thread.state === 'ready') await thread.response(answer([say(`answer ${dice} ${'x'.repeat(dice * 20)}`)]));
      return;
    case 'read': {
      if (thread.state !== 'ready') return;
      const paths = Array.from({ length: 1 + (dice % 2) }, (_, n) => FILES[(dice + n) % FILES.length] ?? FILES[0]);
      await thread.response(answer(paths.map((file_path) => call('Read', { file_path }))));
      return;
    }
    case 'results':
      if (thread.state === 'results') {
        await giveResults(session);
        world.check(await thread.next());
      }
      return;
    case 'compact': {
      if (thread.transcript.head === null) return;
      if (thread.state === 'results') await giveResults(session);
      // A process that ended in mid-turn left calls without a result.
      else if (thread.state === 'idle') await thread.interrupt('the process ended');
      const { window } = thread.transcript;
      const any = window[dice % window.length]?.id ?? null;
      const from = dice % 3 === 0 ? null : dice % 3 === 1 ? keptTail(window, { tokens: (content) => thread.tokens(content) }).from : any;
      const idle = thread.state === 'idle';
      const step = await thread.compact(summaryContent(`summary ${dice}`), from, 'auto');
      if (!idle) world.check(step);
      return;
    }
    case 'resume':
      if (thread.transcript.head === null) return;
      await session.close();
      return world.open({ resume: session.id });
    case 'fork':
      if (thread.transcript.head === null || thread.state !== 'idle') return;
      await session.close();
      return world.open({ resume: session.id, fork: true });
    case 'rewind': {
      if (thread.state !== 'idle') return;
      const ends = thread.transcript.window.filter((record) => record.type === 'assistant' || record.type === 'user');
      const to = ends[dice % Math.max(1, ends.length)];
      if (to !== undefined) await thread.rewind(to.id).catch(() => undefined);
      return;
    }
    case 'day':
      world.clock.advance(86_400_000);
      return;
  }
}

/** As the read tool does: what the model has already is pointed to. */
async function giveResults(session: Session): Promise<void> {
  const thread = session.main;
  const last = thread.transcript.window.findLast((record) => record.type === 'assistant');
  const blocks = last?.type === 'assistant' ? last.message.content : [];
  for (const block of blocks) {
    if (!('id' in block) || !('input' in block)) continue;
    const path = String((block.input as { file_path: string }).file_path);
    const seen = thread.transcript.read(viewsFold).has(path);
    const text = seen ? 'unchanged' : bodyOf(path);
    const touched = { type: 'touched' as const, path };
    await thread.result(String(block.id), {
      content: [{ type: 'text', text }],
      effects: seen ? [touched] : [{ type: 'viewed', view: viewOf(path) }, touched],
    });
  }
}

const count = (text: string, part: string): number => text.split(part).length - 1;

async function live(sequence: readonly Event[]): Promise<void> {
  const world = new World();
  await world.open();
  for (const event of sequence) await happen(world, event);
  await world.session.main.interrupt('the end');
  // What files touched brings along comes with the message after them.
  world.check(await world.session.main.prompt('Next words.'));
  await world.session.main.response(answer([say('Yes.')]));
  const { main } = world.session;
  const step = await main.prompt('Last words.');
  world.check(step);
  const text = bare(step.request.messages);
  for (const once of ['RULES-', 'BRANCH-', 'AGENT-TYPE-']) expect(`${once} ${count(text, once)}`).toBe(`${once} 1`);
  const views = main.transcript.read(viewsFold);
  for (const path of FILES) expect(`${path} ${count(text, `BODY-${path}-`)}`).toBe(`${path} ${views.has(path) ? 1 : 0}`);
  const inLib = FILES.some((path) => path.startsWith('/p/lib/') && views.has(path));
  if (inLib) expect(count(text, 'NESTED-')).toBe(1);
  else expect(count(text, 'NESTED-')).toBeLessThanOrEqual(1);
  const days = [...text.matchAll(/(?:Today is|date is now) (\d{4}-\d\d-\d\d)/g)].map((match) => match[1]);
  expect(new Set(days).size).toBe(days.length);
  expect(days.at(-1)).toBe(world.clock.localDate());
}

const events = fc.array(fc.record({ type: fc.constantFrom(...EVENTS), dice: fc.nat(1_000) }), { maxLength: 80, size: 'max' });

test('no marker of a live source is missing or doubled, wherever compactions fall', { timeout: 120_000 }, async () => {
  const details = await fc.check(fc.asyncProperty(events, live), { numRuns: Number(process.env['SIDENOTE_RANDOM_RUNS'] ?? 30) });
  const told = (details.counterexample?.[0] ?? []).map(({ type, dice }) => `${type} ${dice}`).join(', ');
  expect(details.failed ? `seed ${details.seed}: ${told}: ${String(details.errorInstance)}` : 'kept').toBe('kept');
});
