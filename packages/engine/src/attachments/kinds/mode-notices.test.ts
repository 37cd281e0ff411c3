/** The kinds that tell plan and auto mode, over sixty turns of a session on a fake clock: when they speak, and when they don't. */
import { describe, expect, test } from 'vitest';
import { answer, call, FakeClock, LawChecker, MemoryStore, say, testPorts } from '../../testing/index.js';
import { openSession } from '../../session/open-session.js';
import type { Session, Step } from '../../session/session.js';
import { planEffect } from '../parts/plan-effects.js';
import type { ModeNow } from '../ports.js';

const MODEL = 'claude-opus-5-5';
const FILE = '/h/plans/calm-otter.md';
const KINDS = [
  'plan_mode',
  'plan_mode_reentry',
  'plan_mode_exit',
  'plan_file_reference',
  'auto_mode',
  'auto_mode_exit',
  'verify_plan_reminder',
];

/** A session whose mode is a variable; each turn is a prompt and an answer. */
async function world(start: string, { tool = 'ExitPlanMode' }: { readonly tool?: string } = {}) {
  const now = { mode: start, exists: false, file: FILE };
  const laws = new LawChecker();
  const clock = new FakeClock();
  const value = (): ModeNow => ({ mode: now.mode, plan: { file: now.file, exists: now.exists, tool } });
  const session: Session = await openSession({
    model: MODEL,
    tools: [{ name: 'Write', description: 'Writes.', input_schema: { type: 'object' } }],
    system: 'Test.',
    store: new MemoryStore(),
    ports: { ...testPorts(clock), mode: { read: () => ({ type: 'ready', value: value(), version: '1' }) } },
  });
  const { main } = session;
  const told = (step: Step): string[] => {
    laws.check(step, main);
    return step.injected.map(({ kind }) => kind).filter((kind) => KINDS.includes(kind));
  };
  return {
    now,
    main,
    async turn(words = 'go on'): Promise<string[]> {
      clock.advance(60_000);
      const kinds = told(await main.prompt(words));
      await main.response(answer([say('fine')], MODEL));
      return kinds;
    },
    /** A turn with a call, whose result has these effects, and a mode that is entered meanwhile; gives what came with the result. */
    async work(effects: Parameters<typeof main.result>[1] & object, meanwhile?: string): Promise<string[]> {
      await main.prompt('work');
      const [made] = await main.response(answer([call('Write', {})], MODEL));
      now.mode = meanwhile ?? now.mode;
      await main.result(made?.id ?? '', effects);
      const kinds = told(await main.next());
      await main.response(answer([say('done')], MODEL));
      return kinds;
    },
    last: (kind: string): string => {
      const record = main.transcript.window.findLast((one) => one.type === 'attachment' && one.kind === kind);
      return JSON.stringify(record?.type === 'attachment' ? record.content : '');
    },
  };
}

const wrote = (path: string) =>
  ({
    type: 'wrote',
    before: null,
    view: { path, digest: 'd', size: 1, mtimeNs: '1', inode: '1', lines: 'all', form: 'raw' },
  }) as const;
const text = [{ type: 'text', text: 'ok' }] as const;
const approved = { content: text, effects: [planEffect({ file: FILE, outcome: 'approved' })] };

for (const mode of ['plan', 'auto'] as const) {
  test(`${mode} mode: in full on entry, then every 5 turns, every 5th of those in full`, async () => {
    const { turn, last } = await world(mode);
    const spoken: string[] = [];
    for (let at = 1; at <= 60; at++) {
      const kinds = await turn();
      expect(kinds).toEqual(at % 5 === 1 ? [`${mode}_mode`] : []);
      if (kinds.length > 0) spoken.push(`${at}${last(`${mode}_mode`).includes('still on') ? '' : ' full'}`);
    }
    expect(spoken.join(', ')).toBe('1 full, 6, 11, 16, 21, 26 full, 31, 36, 41, 46, 51 full, 56');
  });
}

test('sixty turns in other modes say nothing', async () => {
  const { turn, now } = await world('default');
  for (let at = 1; at <= 60; at++) {
    now.mode = ['default', 'acceptEdits', 'dontAsk', 'bypassPermissions'][at % 4] ?? '';
    expect(await turn()).toEqual([]);
  }
});

test('leaving is told once, and each entry again in full; from one mode to the other both are told', async () => {
  const { turn, now, last } = await world('plan');
  expect(await turn()).toEqual(['plan_mode']);
  now.mode = 'acceptEdits';
  expect(await turn()).toEqual(['plan_mode_exit']);
  expect(last('plan_mode_exit')).toContain('the mode is acceptEdits now');
  expect(await turn()).toEqual([]);
  now.mode = 'plan';
  expect(await turn()).toEqual(['plan_mode']);
  expect(last('plan_mode')).toContain('Plan mode is on');
  now.mode = 'auto';
  expect(await turn()).toEqual(['plan_mode_exit', 'auto_mode']);
  now.mode = 'plan';
  expect(await turn()).toEqual(['plan_mode', 'auto_mode_exit']);
});

test('a mode that was left and entered between two messages is no news', async () => {
  const { turn, now } = await world('plan');
  await turn();
  now.mode = 'default';
  now.mode = 'plan';
  expect(await turn()).toEqual([]);
});

describe('the plan', () => {
  test('the rules name its file and the tool that ends planning; where there is no such tool, none is named', async () => {
    const { turn, last, now } = await world('plan');
    await turn();
    expect(last('plan_mode')).toContain(`with Write to ${FILE}`);
    expect(last('plan_mode')).toContain('call ExitPlanMode');
    now.file = '/h/plans/other.md';
    expect(await turn()).toEqual(['plan_mode']);
    expect(last('plan_mode')).toContain('/h/plans/other.md');
  });

  test('an earlier plan is named on entry alone', async () => {
    const { turn, now } = await world('default');
    await turn();
    [now.mode, now.exists] = ['plan', true];
    expect(await turn()).toEqual(['plan_mode', 'plan_mode_reentry']);
    for (let at = 0; at < 10; at++) expect(await turn()).not.toContain('plan_mode_reentry');
  });

  test('approved: told with the exit; after a compaction its file once in each window, until its work was checked', async () => {
    const { turn, work, main, last } = await world('plan');
    await turn();
    expect(await work(approved, 'default')).toEqual(['plan_mode_exit']);
    expect(last('plan_mode_exit')).toContain(`approved the plan in ${FILE}`);
    expect(await turn()).toEqual([]);
    await main.compact([{ type: 'text', text: 'summary' }], null);
    expect(await turn()).toEqual(['plan_file_reference']);
    expect(last('plan_file_reference')).toContain(FILE);
    expect(await turn()).toEqual([]);
    expect(await work({ content: text, effects: [wrote('/p/a.ts')] })).toEqual([]);
    expect(await turn()).toEqual(['verify_plan_reminder']);
    await main.compact([{ type: 'text', text: 'summary' }], null);
    for (let at = 0; at < 20; at++) expect(await turn()).toEqual([]);
  });

  test('to be checked: once, when something was changed and the list, if there is one, is done', async () => {
    const { turn, work, now } = await world('plan');
    await turn();
    now.mode = 'default';
    await work(approved);
    expect(await turn()).toEqual([]);
    const open = { type: 'todos', value: [{ content: 'a', status: 'pending', activeForm: 'a' }] } as const;
    const done = { type: 'todos', value: [{ content: 'a', status: 'completed', activeForm: 'a' }] } as const;
    expect(await work({ content: text, effects: [wrote('/p/a.ts'), open] })).toEqual([]);
    expect(await turn()).toEqual([]);
    expect(await work({ content: text, effects: [done] })).toEqual(['verify_plan_reminder']);
    for (let at = 0; at < 60; at++) expect(await turn()).toEqual([]);
  });

  test('rejected, or nothing changed: no reminder', async () => {
    const { turn, work } = await world('plan');
    await turn();
    expect(await work({ content: text, effects: [planEffect({ file: FILE, outcome: 'rejected' }), wrote(FILE)] })).toEqual([]);
    for (let at = 0; at < 3; at++) expect(await turn()).toEqual([]);
  });
});

test('a compaction begins anew with the rules in full; a rewind tells what the chain does not', async () => {
  const { turn, main, now, last } = await world('default');
  await turn();
  const before = main.transcript.head ?? '';
  now.mode = 'plan';
  await turn();
  await main.compact([{ type: 'text', text: 'summary' }], null);
  expect(await turn()).toEqual(['plan_mode']);
  expect(last('plan_mode')).toContain('Plan mode is on');
  await main.rewind(before);
  expect(await turn()).toEqual(['plan_mode']);
  now.mode = 'default';
  await main.rewind(before);
  expect(await turn()).toEqual([]);
});

test('in a sub-agent the rules name neither file nor tool', async () => {
  const clock = new FakeClock();
  const port = (value: ModeNow) => ({ mode: { read: () => ({ type: 'ready' as const, value, version: '1' }) } });
  const session = await openSession({
    model: MODEL,
    tools: [],
    system: 'Test.',
    store: new MemoryStore(),
    ports: { ...testPorts(clock), ...port({ mode: 'plan', plan: { file: FILE, exists: true, tool: 'ExitPlanMode' } }) },
  });
  const thread = await session.spawn({ agent: 'Explore', from: 'fresh', tools: [], ports: port({ mode: 'plan' }) });
  const body = JSON.stringify((await thread.prompt('look')).request);
  expect(body).toContain('Plan mode is on');
  expect(body).not.toContain('ExitPlanMode');
  expect(body).not.toContain(FILE);
});

test('a mode that can’t be read is reported, and nothing is told as left', async () => {
  const now = { ready: true };
  const session = await openSession({
    model: MODEL,
    tools: [],
    system: 'Test.',
    store: new MemoryStore(),
    ports: {
      ...testPorts(new FakeClock()),
      mode: {
        read: () => (now.ready ? { type: 'ready', value: { mode: 'plan' }, version: '1' } : { type: 'unavailable', why: 'no record' }),
      },
    },
  });
  await session.main.prompt('one');
  await session.main.response(answer([say('fine')], MODEL));
  now.ready = false;
  const step = await session.main.prompt('two');
  expect(step.injected).toEqual([]);
  expect(step.report).toContainEqual(expect.objectContaining({ kind: 'plan_mode_exit', outcome: 'unavailable', why: 'no record' }));
});
