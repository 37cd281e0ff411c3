import { expect, test } from 'vitest';
import { openSession } from '../session/open-session.js';
import { readTranscript } from '../session/read-transcript.js';
import type { Session, SessionOptions } from '../session/session.js';
import { bare, answer, call, FakeClock, LawChecker, MemoryStore, say, testPorts, think } from '../testing/index.js';
import { diffRequests } from './diff.js';
import { profileOf } from './profiles.js';

const rules = (text: string) => [
  { name: 'rules', text, static: true },
  { name: 'environment', text: 'Here.', static: false },
];
const READ = { name: 'Read', description: 'Reads.', input_schema: { type: 'object' as const } };

function bench() {
  const store = new MemoryStore();
  const ports = testPorts(new FakeClock());
  const laws = new LawChecker();
  const open = (more: Partial<SessionOptions> = {}) => {
    store.release();
    return openSession({ model: 'claude-opus-5-5', tools: [READ], system: rules('Be good.'), store, ports, kinds: [], ...more });
  };
  const prompt = async ({ main }: Session, words: string) => laws.check(await main.prompt(words), main);
  const diff = async (session: Session, request?: string) => {
    const { records } = await readTranscript(store, session.id);
    return diffRequests({ records, ports, profile: profileOf, ...(request === undefined ? {} : { request }) });
  };
  return { store, open, prompt, diff };
}

test('what was appended, by owner and tokens; nothing else has changed', async () => {
  const { open, prompt, diff } = bench();
  const session = await open();
  const first = await prompt(session, 'Look.');
  expect(await diff(session)).toMatchObject({ before: null, cause: null, changed: [], damaged: null });
  const [one] = await session.main.response(answer([think('hm'), call('Read', { file_path: 'a' })]));
  await session.main.result(one?.id ?? '', 'text of a file');
  const second = await session.main.next();
  const found = await diff(session);
  expect(found).toMatchObject({
    request: second.plan.id,
    before: first.plan.id,
    cause: null,
    newWindow: false,
    changed: [],
    damaged: null,
  });
  expect(found?.appended.map(({ owner, characters }) => `${owner.type} ${owner.name} ${characters}`)).toContain('result Read 14');
  expect(found?.appended.every(({ at }) => at.message > 0)).toBe(true);
  expect(found?.rewritten).toEqual({ tokens: 0, usd: 0 });
  expect(await diff(session, first.plan.id)).toMatchObject({ request: first.plan.id, before: null });
  expect(await diff(session, 'none')).toBeNull();
});

test('a plugin that changes one byte between runs is named by section and byte before anything is sent', async () => {
  const { open, prompt } = bench();
  const session = await open();
  const first = await prompt(session, 'One.');
  await session.main.response(answer([say('fine')]));
  await session.close();
  const resumed = await open({ resume: session.id, system: rules('Be goof.') });
  expect(await resumed.main.drift()).toEqual([
    { owner: { type: 'section', name: 'rules' }, change: 'changed', byte: 6, before: 'Be good.', after: 'Be goof.' },
  ]);
  const preview = await resumed.main.preview('Two.');
  expect(preview.report[0]?.notes?.[0]).toContain('section rules changed from byte 6 on');
  const second = await prompt(resumed, 'Two.');
  expect(bare(second.request.system)).toBe(bare(first.request.system));
  expect(second.report).toEqual([
    { kind: 'prefix', outcome: 'off', ms: 0, why: 'the stored bytes are sent', notes: [expect.stringContaining('byte 6')] },
  ]);
  await resumed.main.response(answer([say('fine')]));
  expect((await prompt(resumed, 'Three.')).report).toEqual([]);
});

test('a declared cause shows which section it changed, and what is written once more', async () => {
  const { open, prompt, diff } = bench();
  const system: SessionOptions['system'] = ({ model }) => rules(`You are ${model}.`);
  const session = await open({ system });
  await prompt(session, 'One.');
  await session.main.response(answer([say('fine')]));
  await session.set('model', 'claude-sonnet-5-5');
  await prompt(session, 'Two.');
  const found = await diff(session);
  expect(found?.cause).toBe('model');
  expect(found?.changed).toEqual([
    {
      owner: { type: 'section', name: 'rules' },
      change: 'changed',
      at: { section: 'system', message: 0, block: 0 },
      byte: 15,
      before: 'You are claude-opus-5-5.',
      after: 'You are claude-sonnet-5-5.',
    },
  ]);
  expect(found?.rewritten.tokens).toBeGreaterThan(0);
  expect(found?.rewritten.usd).toBeGreaterThan(0);
});

test('thinking that a provider refused is named as the first thing that the messages lost', async () => {
  const { open, prompt, diff } = bench();
  const session = await open();
  await prompt(session, 'One.');
  await session.main.response(answer([think('hm'), say('fine')]));
  await prompt(session, 'Two.');
  await session.main.retry({ cause: 'provider-refused', without: 'thinking' });
  const found = await diff(session);
  expect(found?.cause).toBe('provider-refused');
  expect(found?.changed).toMatchObject([{ owner: { type: 'answer' }, at: { section: 'messages', message: 1, block: 0 } }]);
});

test('a stored line that was edited is found by its message, in the plan and in the diff', async () => {
  const { open, prompt, diff, store } = bench();
  const session = await open();
  await prompt(session, 'First words.');
  await session.main.response(answer([say('fine')]));
  await prompt(session, 'Second words.');
  await session.main.response(answer([say('fine')]));
  await session.close();
  const lines = store.file(session.id);
  const at = lines.findIndex((line) => line.includes('First words.'));
  lines[at] = (lines[at] ?? '').replace('First words.', 'First wards.');
  expect((await diff(session))?.damaged).toMatchObject({ at: { message: 0 }, owner: 'prompt human' });
  const resumed = await open({ resume: session.id });
  const step = await resumed.main.preview('Third.');
  expect(step.plan.moved).toMatchObject({ at: { message: 0 }, owner: 'prompt human' });
});

test('a stored system prompt that was edited is told from an edited message', async () => {
  const { open, prompt, diff, store } = bench();
  const session = await open();
  await prompt(session, 'One.');
  await session.close();
  const lines = store.file(session.id);
  lines[0] = (lines[0] ?? '').replace('Be good.', 'Be goof.');
  expect((await diff(session))?.damaged).toMatchObject({ at: { section: 'system' }, owner: 'system prompt or tools' });
  const resumed = await open({ resume: session.id });
  expect((await resumed.main.preview('Two.')).report[0]?.notes?.[0]).toContain('section rules changed from byte 6 on');
});

test('across a compaction the new window is what was appended', async () => {
  const { open, prompt, diff } = bench();
  const session = await open();
  await prompt(session, 'One.');
  await session.main.response(answer([say('fine')]));
  await session.main.compact([{ type: 'text', text: 'Summary.' }], null);
  await prompt(session, 'Two.');
  const found = await diff(session);
  expect(found).toMatchObject({ newWindow: true, changed: [], cause: null });
  expect(found?.appended.map(({ owner }) => owner.type)).toEqual(['summary', 'prompt']);
});
