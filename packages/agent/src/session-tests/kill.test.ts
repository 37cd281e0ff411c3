/** Whatever was acknowledged is there after a SIGKILL at any moment, and what was sent stays as it was. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession, SessionNotFoundError, type Session } from '@sidenote/engine';
import { answer, LawChecker, say } from '@sidenote/engine/testing';
import { jsonlStore, localPorts } from '@sidenote/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOfMessages, model, type Acknowledged } from './acknowledged.testing.js';
import type { KillOrder } from './kill-child.testing.js';
import { buildKillChild, startKillChild } from './start-kill-child.testing.js';

/** Each takes about half a second of one core: `SIDENOTE_KILLS=200` for a thorough run. */
const KILLS = Number(process.env['SIDENOTE_KILLS'] ?? 40);
const SEED = Number(process.env['SIDENOTE_SEED'] ?? Date.now() % 1_000_000);

let root: string;
let program: string;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sidenote-kill-')));
  program = await buildKillChild(join(root, 'program'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A small generator, so that a failure can be looked at again. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function place(name: string): KillOrder {
  const cwd = join(root, name, 'project');
  const home = join(root, name, 'home');
  mkdirSync(join(cwd, 'sub'), { recursive: true });
  mkdirSync(home);
  writeFileSync(join(cwd, 'AGENTS.md'), 'Be careful.\n');
  writeFileSync(join(cwd, 'sub', 'AGENTS.md'), 'Be very careful here.\n');
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n');
  writeFileSync(join(cwd, 'b.txt'), 'b 🧊\n'.repeat(500));
  writeFileSync(join(cwd, 'sub', 'd.txt'), 'd\n');
  return { cwd, home, session: '5e551011-0000-4000-8000-000000000000' };
}

function resume({ cwd, home, session }: KillOrder): Promise<Session> {
  const { git: _, ...ports } = localPorts({ cwd, home, env: {} });
  const store = jsonlStore({ cwd, configDir: join(home, '.sidenote') });
  return openSession({ model, tools: [], system: 'Not asked for.', store, ports, resume: session });
}

type Held = { readonly text: string; readonly calls: ReadonlySet<string>; readonly requests: ReadonlySet<string> };
/** Everything in the file, whichever branch it is on. */
const heldBy = (session: Session): Held =>
  session.main.transcript.read<{ text: string; calls: Set<string>; requests: Set<string> }>({
    name: 'held',
    scope: 'session',
    on: ['user', 'assistant', 'tool_result', 'attachment', 'queue', 'request'],
    initial: () => ({ text: '', calls: new Set(), requests: new Set() }),
    step(held, record) {
      if (record.type === 'request') held.requests.add(record.id);
      else held.text += JSON.stringify(record);
      if (record.type === 'tool_result') held.calls.add(record.call);
      return held;
    },
  });

async function check(order: KillOrder, acknowledged: readonly Acknowledged[]): Promise<void> {
  const session = await resume(order).catch((error: unknown) => {
    if (SessionNotFoundError.isInstance(error) && acknowledged.length === 0) return undefined;
    throw error;
  });
  if (session === undefined) return;
  const held = heldBy(session);
  for (const one of acknowledged) {
    if (one.type === 'shown') expect(held.text).toContain(one.text);
    if (one.type === 'result') expect(held.calls).toContain(one.call);
    if (one.type === 'sent') expect(held.requests).toContain(one.request);
  }
  const laws = new LawChecker();
  const step = laws.check(await session.main.prompt('after the kill'), session.main);
  const last = acknowledged.findLast((one) => one.type === 'sent');
  if (last?.type === 'sent') {
    expect(digestOfMessages(step.request.messages.slice(0, last.count))).toBe(last.digest);
    expect(step.plan.sealed).toBeGreaterThanOrEqual(last.count);
  }
  await session.main.response(answer([say('fine')], model));
  await session.close();
  const again = await resume(order);
  expect(laws.check(await again.main.prompt('and once more'), again.main).plan.sealed).toBe(step.request.messages.length);
  await again.close();
}

test(`${KILLS} kills lose nothing that was acknowledged`, { timeout: 600_000 }, async () => {
  const whole = place('whole');
  const all = await (await startKillChild(program)).work(whole, () => undefined);
  expect(all.at(-1)).toEqual({ type: 'end' });
  await check(whole, all);

  const roll = dice(SEED);
  const turns = Array.from({ length: KILLS }, (_, number) => ({
    number,
    // Zero: before anything was acknowledged, counted from the start of the work.
    after: Math.floor(roll() * all.length),
    microseconds: roll() < 0.3 ? 0 : roll() * 4000,
  }));
  let stopped = 0;
  const lane = async () => {
    let next = startKillChild(program);
    for (let turn = turns.pop(); turn !== undefined; turn = turns.pop()) {
      const child = await next;
      next = startKillChild(program);
      const { number, after, microseconds } = turn;
      const order = place(`kill-${number}`);
      const acknowledged = await child.work(order, (count) => (count > after ? microseconds : undefined));
      if (acknowledged.at(-1)?.type !== 'end') stopped++;
      await check(order, acknowledged).catch((error: unknown) => {
        throw new Error(`seed ${SEED}, kill ${number}: after ${after} acknowledgements and ${microseconds} µs`, { cause: error });
      });
      rmSync(join(order.cwd, '..'), { recursive: true });
    }
    await (await next).work(place(`spare-${stopped}-${Math.floor(roll() * 1e9)}`), () => 0);
  };
  await Promise.all([lane(), lane()]);
  expect(stopped).toBeGreaterThan(KILLS / 2);
});
