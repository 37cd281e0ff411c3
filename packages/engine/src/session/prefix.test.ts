import { expect, test } from 'vitest';
import { gitSnapshot } from '../attachments/kinds/git-snapshot.js';
import type { Ports } from '../attachments/ports.js';
import { effectivePrompt } from '../prompt/layers.js';
import { systemSection, type PromptPart } from '../prompt/system-section.js';
import { answer, bare, FakeClock, LawChecker, MemoryStore, say, testPorts } from '../testing/index.js';
import type { PrefixRecord } from '../transcript/records.js';
import { openSession } from './open-session.js';
import type { Session, SessionOptions } from './session.js';

function bench(more: Partial<SessionOptions> = {}, ports: Partial<Ports> = {}) {
  const clock = new FakeClock();
  const store = new MemoryStore();
  const laws = new LawChecker();
  const open = (how: Partial<SessionOptions> = {}) => {
    store.release();
    return openSession({
      model: 'claude-opus-5-5',
      tools: [],
      system: 'You fix bugs.',
      store,
      ports: { ...testPorts(clock), ...ports },
      kinds: [gitSnapshot],
      ...more,
      ...how,
    });
  };
  const turn = async (session: Session, words: string) => {
    const step = laws.check(await session.main.prompt(words), session.main);
    await session.main.response(answer([say('Fine.')]));
    return step;
  };
  return { open, turn };
}

const prefixes = (session: Session) => session.main.transcript.window.filter((record): record is PrefixRecord => record.type === 'prefix');

test('a layered prompt names who won and lost, and computes nothing of the losers', async () => {
  let computed = 0;
  const base: PromptPart[] = [
    systemSection('rules', () => {
      computed++;
      return 'Be good.';
    }),
  ];
  const custom = [{ name: 'custom', text: 'Only this.', static: false }];
  const { open, turn } = bench({ system: () => effectivePrompt({ base, custom, proactive: true }) });
  const session = await open();
  const { request } = await turn(session, 'One.');
  expect(request.system.map(({ text }) => text)).toEqual(['Only this.']);
  expect(computed).toBe(0);
  const layer = { won: 'custom', lost: ['base'], proactive: true };
  expect(session.main.audit.layer).toEqual(layer);
  await session.close();
  const resumed = await open({ resume: session.id });
  expect(resumed.main.audit.layer).toEqual(layer);
});

test('what was late or failed stays out under every later prefix, and every audit says so', async () => {
  let asked = 0;
  const failing = systemSection('style', () => {
    asked++;
    throw new Error('no style');
  });
  const { open, turn } = bench({ system: [{ name: 'rules', text: 'Be good.', static: true }, failing] });
  const session = await open();
  const first = await turn(session, 'One.');
  expect(first.report).toContainEqual({ kind: 'system:style', outcome: 'failed', ms: 0, why: 'no style' });
  await session.set('model', 'claude-sonnet-5-5');
  await turn(session, 'Two.');
  await turn(session, 'Three.');
  expect(asked).toBe(1);
  expect(session.main.audit.absent).toContainEqual(expect.objectContaining({ kind: 'system:style' }));
});

const repository = (texts: string[]): Pick<Ports, 'git'> => ({
  git: { read: () => ({ type: 'ready', value: { text: texts.shift() ?? 'none' }, version: '1' }) },
});

test('git in the system prompt: once per prefix, in new windows too, and the kind is off and says why', async () => {
  const { open, turn } = bench({ git: { position: 'system' } }, repository(['branch main </system-reminder>', 'branch other']));
  const session = await open();
  const first = await turn(session, 'One.');
  expect(first.request.system.at(-1)?.text).toContain('branch main <\\/system-reminder>');
  expect(first.report).toContainEqual({ kind: 'git_snapshot', outcome: 'off', ms: 0, why: expect.stringContaining('git.position') });
  await session.main.compact([{ type: 'text', text: 'Summary.' }], null);
  const second = await turn(session, 'Two.');
  expect(bare(second.request).split('branch').length).toBe(2);
  await session.set('model', 'claude-sonnet-5-5');
  expect(bare((await turn(session, 'Three.')).request.system)).toContain('branch other');
});

test('under a whole prompt of someone else git is dropped, and that is reported', async () => {
  const system = () => effectivePrompt({ base: [], custom: [{ name: 'custom', text: 'Only this.', static: false }] });
  const { open, turn } = bench({ system, git: { position: 'system' } }, repository(['branch main']));
  const session = await open();
  const { request, report } = await turn(session, 'One.');
  expect(bare(request)).not.toContain('branch main');
  expect(report.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual(['system:git off', 'git_snapshot off']);
});

test('a session that began with git in its opening does not get it a second time', async () => {
  const ports = repository(['branch main', 'branch other']);
  const { open, turn } = bench({}, ports);
  const session = await open();
  await turn(session, 'One.');
  await session.close();
  const resumed = await open({ resume: session.id, git: { position: 'system' } });
  await resumed.set('model', 'claude-sonnet-5-5');
  expect(bare((await turn(resumed, 'Two.')).request).split('branch').length).toBe(2);
});

test('a debug entry begins a new prefix, stays, and goes with another one', async () => {
  const { open, turn } = bench();
  const session = await open();
  await turn(session, 'One.');
  await session.set('injection', 'CACHE BREAKER');
  const second = await turn(session, 'Two.');
  expect(second.plan.ancestor).toBeNull();
  expect(second.request.system.at(-1)?.text).toBe('CACHE BREAKER');
  expect((await turn(session, 'Three.')).plan.ancestor).toBe(second.plan.id);
  await session.set('injection', null);
  expect(bare((await turn(session, 'Four.')).request.system)).not.toContain('CACHE');
  expect(prefixes(session).map(({ cause }) => cause)).toEqual(['start', 'debug', 'debug']);
});

test('under a whole prompt of someone else a debug entry changes nothing', async () => {
  const system = () => effectivePrompt({ base: [], custom: [{ name: 'custom', text: 'Only this.', static: false }] });
  const { open, turn } = bench({ system });
  const session = await open();
  await turn(session, 'One.');
  await session.set('injection', 'CACHE BREAKER');
  expect((await turn(session, 'Two.')).plan.sealed).toBe(1);
});

test('the default thinking of one model becomes that of the other; one that was chosen stays', async () => {
  const asked = async (params: SessionOptions['params']) => {
    const { open, turn } = bench({ params: params ?? {} });
    const session = await open();
    await turn(session, 'One.');
    await session.set('model', 'claude-haiku-4-5');
    return (await turn(session, 'Two.')).request.thinking;
  };
  expect(await asked({ thinking: { type: 'adaptive', display: 'summarized' } })).toBeUndefined();
  expect(await asked({ thinking: { type: 'adaptive', display: 'omitted' } })).toEqual({ type: 'adaptive', display: 'omitted' });
});

test('git and a debug entry are as of then, and no drift', async () => {
  const { open, turn } = bench({ git: { position: 'system' } }, repository(['branch main', 'branch other', 'branch third']));
  const session = await open();
  await turn(session, 'One.');
  await session.set('injection', 'CACHE BREAKER');
  await turn(session, 'Two.');
  await session.close();
  expect(await (await open({ resume: session.id })).main.drift()).toEqual([]);
});
