import { builtInKinds } from '@sidenote/engine';
import { bare, call, say } from '@sidenote/engine/testing';
import type { HookPermission } from '@sidenote/node';
import { describe, expect, it } from 'vitest';
import type { Decision, Permissions } from '../permissions/contract.js';
import type { AnyTool } from '../tools/tool.js';
import { allowAll, drain, ended, resultOf, setUp, text, tool, type Reply } from './agent.testing.js';
import type { AgentEvent } from './events.js';
import { adds, recordedHooks, said, type Answers } from './hooks.testing.js';

async function bench(replies: readonly Reply[], answers: Answers, more: Partial<Parameters<typeof setUp>[1]> = {}) {
  const recorded = recordedHooks(answers);
  return { ...recorded, ...(await setUp(replies, { hooks: recorded.hooks, ...more }, builtInKinds)) };
}
const echo = (): AnyTool => tool('Echo', 'execute', async (input: unknown) => text(`ran ${JSON.stringify(input)}`));
const judging = (decision: Decision): Permissions => ({ ...allowAll, judge: async () => decision });
const notices = (events: readonly AgentEvent[]) => events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
const count = (value: unknown, mark: string) => bare(value).split(mark).length - 1;

describe('around a turn', () => {
  it('start, prompt and end are told what they are about, and what they add is sent once', async () => {
    const { agent, calls, sent } = await bench([ended(say('The answer.'))], {
      SessionStart: () => adds('SessionStart', 'MARK-START'),
      UserPromptSubmit: () => adds('UserPromptSubmit', 'MARK-PROMPT'),
    });
    agent.start('startup');
    await drain(agent.run('my words'));
    await drain(agent.run('more words'));
    await agent.end('other');
    expect(calls.map(({ event, subject, fields }) => [event, subject, fields])).toEqual([
      ['SessionStart', 'startup', { source: 'startup' }],
      ['UserPromptSubmit', undefined, { prompt: 'my words' }],
      ['Stop', undefined, { stop_hook_active: false, last_assistant_message: 'The answer.' }],
      ['UserPromptSubmit', undefined, { prompt: 'more words' }],
      ['Stop', undefined, { stop_hook_active: false, last_assistant_message: 'done' }],
      ['SessionEnd', 'other', { reason: 'other' }],
    ]);
    expect(count(sent[0], 'MARK-START')).toBe(1);
    expect(count(sent[0], 'MARK-PROMPT')).toBe(1);
    expect(count(sent[1], 'MARK-START')).toBe(1);
    expect(bare(sent[0])).toMatch(/MARK-START[^]*my words/);
  });

  it('a prompt that is objected to is not sent and leaves nothing; the next one goes out', async () => {
    let first = true;
    const { agent, sent } = await bench([ended(say('fine'))], {
      UserPromptSubmit: () => {
        if (!first) return undefined;
        first = false;
        return { blocks: [said('UserPromptSubmit', 'no secrets')], ...adds('UserPromptSubmit', 'MARK') };
      },
    });
    expect(resultOf(await drain(agent.run('password')))).toMatchObject({
      reason: 'stopped',
      text: 'The prompt was not sent: the hook UserPromptSubmit objects: no secrets',
      steps: 0,
    });
    expect(sent).toEqual([]);
    expect(resultOf(await drain(agent.run('clean')))?.reason).toBe('done');
    expect(bare(sent[0])).not.toMatch(/password|MARK/);
  });

  it('words that waited and are objected to do not come with the next prompt', async () => {
    const { agent, session, sent } = await bench([ended(say('fine'))], {
      UserPromptSubmit: ({ fields }) => (bare(fields).includes('password') ? { blocks: [said('UserPromptSubmit', 'no')] } : undefined),
    });
    const item = await agent.steer('my password');
    await drain(agent.run({ content: [{ type: 'text', text: 'my password' }], steered: [item] }));
    expect(session.main.steered).toEqual([]);
    await drain(agent.run('clean'));
    expect(bare(sent)).not.toContain('password');
  });

  it.each(['SessionStart', 'UserPromptSubmit'] as const)('`continue: false` of %s ends the turn before it begins', async (event) => {
    const { agent, sent } = await bench([], { [event]: () => ({ stop: said(event, 'closed') }) });
    agent.start('startup');
    expect(resultOf(await drain(agent.run('go')))).toMatchObject({ reason: 'stopped', text: `The hook ${event} ended the turn: closed` });
    expect(sent).toEqual([]);
  });

  it('words that nobody typed are no prompt of a person', async () => {
    const { agent, calls, session } = await bench([], {});
    await session.notify({ text: 'news', trust: 'client', wake: true });
    await drain(agent.wake() ?? agent.run(''));
    expect(calls.map(({ event }) => event)).toEqual(['Stop']);
  });

  it('an objection to the end goes on with the reason, and knows that it did', async () => {
    const { agent, calls, sent } = await bench([ended(say('one')), ended(say('two'))], {
      Stop: ({ fields }) => (fields['stop_hook_active'] === true ? undefined : { blocks: [said('Stop', 'MARK-TESTS fail')] }),
    });
    const events = await drain(agent.run('go'));
    expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'two', steps: 2 });
    expect(count(sent[1], 'MARK-TESTS')).toBe(1);
    expect(calls.filter(({ event }) => event === 'Stop').map(({ fields }) => fields['stop_hook_active'])).toEqual([false, true]);
    expect(events).toContainEqual({
      type: 'attachment-injected',
      kind: 'hook_blocking_error',
      title: 'hook objection Stop: MARK-TESTS fail',
    });
  });

  it('goes on at most eight times in a row, also where nothing of it is told', async () => {
    for (const off of [{}, { hook_blocking_error: 'by the person' }]) {
      const recorded = recordedHooks({ Stop: () => ({ blocks: [said('Stop', 'again')] }) });
      const { agent, sent } = await setUp([], { hooks: recorded.hooks }, builtInKinds, off);
      const events = await drain(agent.run('go'));
      expect(sent).toHaveLength(9);
      expect(resultOf(events)?.reason).toBe('done');
      expect(notices(events)).toEqual(['a Stop hook asks for more, but the turn ends here: hooks have kept it going 8 times']);
      await drain(agent.run('a person speaks'));
      expect(sent).toHaveLength(18);
    }
  });

  it('never beyond the responses that are allowed; `continue: false` just ends', async () => {
    const limited = await bench([], { Stop: () => ({ blocks: [said('Stop', 'again')] }) }, { maxSteps: 2 });
    expect(resultOf(await drain(limited.agent.run('go')))).toMatchObject({ reason: 'done', steps: 2 });
    const ending = await bench([ended(say('answer'))], { Stop: () => ({ stop: said('Stop', 'enough'), blocks: [said('Stop', 'x')] }) });
    const events = await drain(ending.agent.run('go'));
    expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'answer', steps: 1 });
    expect(notices(events)).toEqual(['The hook Stop ended the turn: enough']);
  });

  it('an interrupt while hooks run ends the waiting', async () => {
    const { agent } = await setUp([], {
      hooks: {
        run: (_call, how) =>
          new Promise((resolve) => {
            how?.waiting?.('waiting for it');
            how?.signal?.addEventListener('abort', () => resolve({ texts: [], blocks: [], notes: [] }), { once: true });
          }),
        post: () => undefined,
      },
    });
    const events = await drain(agent.run('go'), (event) => void (event.type === 'notice' && agent.interrupt('Esc')));
    expect(notices(events)).toEqual(['waiting for it']);
    expect(resultOf(events)?.reason).toBe('interrupted');
  });
});

describe('around a call', () => {
  const once = [ended(call('Echo', { a: 1 }, 'toolu_a'), call('Echo', { a: 2 }, 'toolu_b')), ended(say('fine'))];
  const resultIn = (body: unknown, id: string): string => {
    const { messages } = body as { messages: readonly { content: readonly { tool_use_id?: string }[] }[] };
    return bare(messages.flatMap(({ content }) => content).filter((block) => block.tool_use_id === id));
  };

  it('before and after are told the call, and what they add stands inside its result', async () => {
    const { agent, calls, sent } = await bench(
      once,
      {
        PreToolUse: ({ fields }) => adds('PreToolUse', `BEFORE-${String(fields['tool_use_id'])}`),
        PostToolUse: ({ fields }) => adds('PostToolUse', `AFTER-${String(fields['tool_use_id'])}`),
      },
      { tools: [echo()] },
    );
    await drain(agent.run('go'));
    const about = calls.filter(({ subject }) => subject === 'Echo');
    expect(about.map(({ event }) => event)).toEqual(['PreToolUse', 'PostToolUse', 'PreToolUse', 'PostToolUse']);
    expect(about[1]?.fields).toEqual({
      tool_name: 'Echo',
      tool_input: { a: 1 },
      tool_use_id: 'toolu_a',
      tool_response: { content: [{ type: 'text', text: 'ran {"a":1}' }] },
    });
    for (const id of ['toolu_a', 'toolu_b'])
      for (const mark of [`BEFORE-${id}`, `AFTER-${id}`]) expect(count(resultIn(sent[1], id), mark)).toBe(1);
    expect(count(sent[1], 'BEFORE')).toBe(2);
  });

  it('a failure is another event', async () => {
    const broken = tool('Echo', 'execute', () => Promise.reject(new Error('no disk')));
    const { agent, calls, sent } = await bench(once, { PostToolUseFailure: () => adds('PostToolUseFailure', 'MARK') }, { tools: [broken] });
    await drain(agent.run('go'));
    expect(calls.map(({ event }) => event)).not.toContain('PostToolUse');
    expect(calls.find(({ event }) => event === 'PostToolUseFailure')?.fields).toMatchObject({
      error: 'Echo failed: no disk',
      is_interrupt: false,
    });
    expect(count(sent[1], 'MARK')).toBe(2);
  });

  it('changes the input, when the tool takes it, and the output', async () => {
    const picky: AnyTool = {
      ...echo(),
      parse: (input) =>
        typeof input === 'object' && input !== null && 'bad' in input ? { ok: false, message: 'bad is bad' } : { ok: true, input },
    };
    const { agent, sent } = await bench(
      once,
      {
        PreToolUse: ({ fields }) => ({ input: fields['tool_use_id'] === 'toolu_a' ? { better: true } : { bad: true } }),
        PostToolUse: () => ({ output: { short: 1 } }),
      },
      { tools: [picky] },
    );
    const events = await drain(agent.run('go'));
    expect(resultIn(sent[1], 'toolu_a')).toContain('{\\"short\\":1}');
    expect(resultIn(sent[1], 'toolu_b')).toContain('A hook has changed the input of this call: bad is bad');
    expect(bare(events)).not.toContain('ran {\\"a\\"');
  });

  it('an objection to what a call did is told with its result', async () => {
    const { agent, sent } = await bench(once, { PostToolUse: () => ({ blocks: [said('PostToolUse', 'MARK lint')] }) }, { tools: [echo()] });
    await drain(agent.run('go'));
    expect(count(resultIn(sent[1], 'toolu_a'), 'MARK lint')).toBe(1);
    expect(resultIn(sent[1], 'toolu_a')).toContain('ran ');
  });

  it.each(['PreToolUse', 'PostToolUse'] as const)(
    '`continue: false` of %s ends the turn, and the model is told with the next words',
    async (event) => {
      const { agent, sent } = await bench(once, { [event]: () => ({ stop: said(event, 'MARK-STOP') }) }, { tools: [echo()] });
      const events = await drain(agent.run('go'));
      expect(resultOf(events)).toMatchObject({ reason: 'stopped', text: `The hook ${event} ended the turn: MARK-STOP` });
      expect(sent).toHaveLength(1);
      expect(events.filter(({ type }) => type === 'tool-started')).toHaveLength(event === 'PreToolUse' ? 0 : 1);
      await drain(agent.run('and now?'));
      expect(count(sent[1], 'MARK-STOP')).toBe(1);
      expect(resultIn(sent[1], 'toolu_b')).toContain('Not run: a hook ended the turn.');
    },
  );
});

describe('permissions', () => {
  const asks: Decision = { type: 'ask', why: 'it writes', rules: [] };
  const says = (type: HookPermission['type'], reason = '') => ({ permission: { type, reason, hook: 'H' } });
  async function decided(answers: Answers, decision: Decision, ask?: Parameters<typeof setUp>[1]) {
    const { agent, sent, calls, posted } = await bench([ended(call('Echo', {})), ended(say('fine'))], answers, {
      tools: [echo()],
      permissions: judging(decision),
      ...ask,
    });
    const events = await drain(agent.run('go'));
    return { ran: events.some(({ type }) => type === 'tool-started'), told: bare(sent[1]), events, calls, posted, sent };
  }
  const yes = { ask: async () => ({ type: 'once' as const }) };

  it('allow runs what would be asked for, and not what a rule forbids or wants asked', async () => {
    const answers = { PreToolUse: () => says('allow') };
    expect((await decided(answers, asks)).ran).toBe(true);
    expect((await decided(answers, { type: 'deny', why: 'a rule' })).told).toContain('Not allowed: a rule.');
    expect((await decided(answers, { ...asks, byRule: true })).told).toContain('nobody is there to ask');
  });

  it('deny refuses what is allowed, with its reason', async () => {
    const { ran, told } = await decided({ PreToolUse: () => says('deny', 'not on Fridays') }, { type: 'allow', why: '' });
    expect(ran).toBe(false);
    expect(told).toContain('Not allowed: the hook H refuses it: not on Fridays');
  });

  it('ask has a person asked about what is allowed, and nobody else can answer', async () => {
    const answers = { PreToolUse: () => says('ask', 'sure?'), PermissionRequest: () => says('allow') };
    expect((await decided(answers, { type: 'allow', why: '' })).told).toContain('Not allowed: sure?, and nobody is there to ask.');
    const { ran, posted } = await decided(answers, { type: 'allow', why: '' }, yes);
    expect(ran).toBe(true);
    expect(posted).toContainEqual({
      event: 'Notification',
      subject: 'permission_prompt',
      fields: { message: 'Asks to run: Echo', notification_type: 'permission_prompt' },
    });
  });

  it('defer ends the turn before the call runs', async () => {
    const { ran, events, sent } = await decided({ PreToolUse: () => says('defer', 'later') }, { type: 'allow', why: '' });
    expect(ran).toBe(false);
    expect(resultOf(events)).toMatchObject({ reason: 'stopped', text: 'The hook H ended the turn: it puts a call off: later' });
    expect(sent).toHaveLength(1);
  });

  it('a question may be answered before a person is asked', async () => {
    const allowed = await decided({ PermissionRequest: () => ({ ...says('allow'), input: { safe: 1 } }) }, asks);
    expect(allowed.told).toContain('ran {\\"safe\\":1}');
    expect(allowed.posted).toEqual([]);
    const denied = await decided({ PermissionRequest: () => says('deny', 'never') }, asks, yes);
    expect(denied.told).toContain('Not allowed: the hook H refuses it: never');
    expect(
      (await decided({ PermissionRequest: () => says('allow') }, { type: 'allow', why: '' })).calls.map(({ event }) => event),
    ).not.toContain('PermissionRequest');
  });

  it('an input that a hook puts in the place of another is held to the rules, too', async () => {
    const answers = { PermissionRequest: () => ({ ...says('allow'), input: { danger: 1 } }) };
    const rules = (other: Decision) => ({
      permissions: {
        ...allowAll,
        judge: async (_call: unknown, _tool: unknown, input: unknown) => (bare(input).includes('danger') ? other : asks),
      },
    });
    const denied = await decided(answers, asks, rules({ type: 'deny', why: 'a rule' }));
    expect([denied.ran, denied.told.includes('Not allowed: a rule.')]).toEqual([false, true]);
    const asked = await decided(answers, asks, rules({ ...asks, byRule: true }));
    expect([asked.ran, asked.told.includes('nobody is there to ask')]).toEqual([false, true]);
    expect((await decided(answers, asks, rules({ type: 'allow', why: '' }))).ran).toBe(true);
  });
});
