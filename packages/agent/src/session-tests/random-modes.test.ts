/**
 * One law over random sessions: what the model was told of the mode, what is enforced, and what the status line would show agree
 * in every request, whatever was set, left, rewound, compacted, forked or resumed before it.
 */
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSession, type Session, type SessionOptions, type Step } from '@sidenote/engine';
import { answer, call, FakeClock, LawChecker, MemoryStore, say, testPorts } from '@sidenote/engine/testing';
import type { Mode } from '../permissions/contract.js';
import { createPermissions } from '../permissions/permissions.js';
import { fakeTool } from '../permissions/permissions.testing.js';
import { modeOfSession, modeOnResume, MODES } from '../permissions/session-mode.js';

const MODEL = 'claude-opus-5-5';
const EVENTS = ['prompt', 'prompt', 'mode', 'mode', 'steps', 'interrupt', 'rewind', 'compact', 'fork', 'resume', 'child'] as const;
type Event = { readonly type: (typeof EVENTS)[number]; readonly dice: number };

const write = fakeTool('Write', 'write');
const input = { file_path: '/p/a.ts' };

/** Identity: a session that goes on under changing ids. */
class World {
  readonly #store = new MemoryStore();
  readonly #clock = new FakeClock();
  readonly #laws = new LawChecker();
  #first: Mode = 'default';
  #session: Session | undefined;
  readonly permissions = createPermissions({ cwd: '/p', home: '/h', mode: () => this.mode, rules: { allow: ['Edit'] } });

  get session(): Session {
    if (this.#session === undefined) throw new Error('it is not open');
    return this.#session;
  }

  get mode(): Mode {
    return modeOfSession(this.session) ?? this.#first;
  }

  async open(how: Pick<SessionOptions, 'resume' | 'fork'> & { readonly mode?: Mode }): Promise<void> {
    this.#store.release();
    const mode = { read: () => ({ type: 'ready' as const, value: { mode: this.mode }, version: this.mode }) };
    const ports = { ...testPorts(this.#clock), mode };
    this.#first = how.mode ?? 'default';
    this.#session = await openSession({ model: MODEL, tools: [], system: 'Test.', store: this.#store, ports, ...how });
    if (how.resume === undefined) return;
    const next = modeOnResume(modeOfSession(this.session), 'default');
    if (next !== modeOfSession(this.session)) await this.session.set('mode', next);
  }

  /** The law. */
  async check(step: Step): Promise<void> {
    this.#laws.check(step, this.session.main);
    await this.checkThread(this.session.main, step);
  }

  async checkThread({ transcript }: Pick<Session['main'], 'transcript'>, step: Step): Promise<void> {
    const body = JSON.stringify(step.request);
    for (const [mode, words] of [
      ['plan', 'Plan mode'],
      ['auto', 'Auto mode'],
    ] as const) {
      const kinds = [`${mode}_mode`, `${mode}_mode_exit`];
      const last = transcript.window.findLast((record) => record.type === 'attachment' && kinds.includes(record.kind));
      const believes = last?.type === 'attachment' && last.kind === `${mode}_mode`;
      assert.equal(believes, this.mode === mode, `what was told of ${mode} mode`);
      if (believes) assert.ok(body.includes(words));
    }
    const verdict = await this.permissions.judge({ id: 'c', name: 'Write', input }, write, input);
    assert.equal(verdict.type === 'deny', this.mode === 'plan');
    assert.equal(this.permissions.mode, this.mode);
  }
}

async function happen(world: World, { type, dice }: Event): Promise<void> {
  const { session } = world;
  const { main } = session;
  switch (type) {
    case 'prompt':
      await world.check(await main.prompt('words'));
      await main.response(answer([say('fine')], MODEL));
      return;
    case 'mode':
      return session.set('mode', MODES[dice % MODES.length] ?? 'default');
    case 'steps': {
      // The mode may change between two steps of a turn, by a tool or by a person.
      await world.check(await main.prompt('work'));
      const [made] = await main.response(answer([call('Write', input)], MODEL));
      if (dice % 2 === 0) await session.set('mode', MODES[dice % MODES.length] ?? 'default');
      await main.result(made?.id ?? '', 'done');
      await world.check(await main.next());
      await main.response(answer([say('fine')], MODEL));
      return;
    }
    case 'interrupt':
      await world.check(await main.prompt('words'));
      await session.set('mode', MODES[dice % MODES.length] ?? 'default');
      return main.interrupt('the person interrupted');
    case 'rewind': {
      const places = main.transcript.window.filter(
        (record) => record.type === 'assistant' && record.message.content.every((block) => block.type !== 'tool_use'),
      );
      const place = places[dice % Math.max(1, places.length)];
      return place === undefined ? undefined : main.rewind(place.id);
    }
    case 'compact':
      if (main.transcript.head !== null) await main.compact([{ type: 'text', text: 'summary' }], null);
      return;
    case 'fork':
    case 'resume':
      return main.transcript.head === null ? undefined : world.open({ resume: session.id, fork: type === 'fork' });
    case 'child': {
      if (main.transcript.head === null) return;
      const child = await session.spawn({ agent: 'Explore', from: 'fresh', tools: [] });
      await world.checkThread(child, await child.prompt('look'));
      await child.response(answer([say('fine')], MODEL));
      await session.set('mode', MODES[dice % MODES.length] ?? 'default');
      await world.checkThread(child, await child.prompt('look again'));
      return;
    }
  }
}

const event = fc.record({ type: fc.constantFrom(...EVENTS), dice: fc.nat(1_000) });

test('notice, enforcement and status agree in every request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...MODES), fc.array(event, { maxLength: 25 }), async (mode, events) => {
      const world = new World();
      await world.open({ mode });
      for (const one of [...events, { type: 'prompt', dice: 0 } as const]) await happen(world, one);
      const before = world.mode;
      await world.open({ resume: world.session.id });
      expect(world.mode).toBe(modeOnResume(before, 'default'));
    }),
    { numRuns: 80 },
  );
}, 120_000);
