import type { WireBlock } from '@sidenote/engine';
import { answer, bare, call, say } from '@sidenote/engine/testing';
import { describe, expect, test } from 'vitest';
import type { Mode, Permissions } from '../permissions/contract.js';
import { createPermissions } from '../permissions/permissions.js';
import type { AnyTool } from '../tools/tool.js';
import { allowAll, drain, ended, fails, hangs, resultOf, setUp, stopped, text, tool } from './agent.testing.js';

test('calls that only read run side by side; their results stand in call order', async () => {
  const order: string[] = [];
  const first = gate();
  const read = tool('Read', 'read', async (input: { n: number }) => {
    if (input.n === 1) await first.promise;
    order.push(`ran ${input.n}`);
    first.resolve();
    return text(`result ${input.n}`);
  });
  const { agent, sent } = await setUp([ended(call('Read', { n: 1 }), call('Read', { n: 2 })), ended(say('fine'))], { tools: [read] });
  const events = await drain(agent.run('go'));
  expect(order).toEqual(['ran 2', 'ran 1']);
  const results = sent[1]?.messages.at(-1)?.content.map((block) => bare(block));
  expect(results?.[0]).toContain('result 1');
  expect(results?.[1]).toContain('result 2');
  expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'fine', steps: 2 });
});

test('of hundreds of calls at once only a few run at a time, and all get their result', async () => {
  let running = 0;
  let most = 0;
  const read = tool('Read', 'read', async (input: { n: number }) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return text(`result ${input.n}`);
  });
  const calls = Array.from({ length: 300 }, (_, n) => call('Read', { n }));
  const { agent, sent } = await setUp([ended(...calls), ended(say('fine'))], { tools: [read] });
  await drain(agent.run('go'));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(20);
  expect(sent[1]?.messages.at(-1)?.content.filter(({ type }) => type === 'tool_result')).toHaveLength(300);
});

test.each(['refusal', 'max_tokens', 'model_context_window_exceeded'])(
  'an answer that is nothing but %s is a failure with advice',
  async (why) => {
    const { agent, sent } = await setUp([stopped(why), ended(say('fine'))]);
    expect(resultOf(await drain(agent.run('go')))).toMatchObject({ reason: 'failed', text: expect.stringMatching(/session|go on/) });
    expect(resultOf(await drain(agent.run('again')))).toMatchObject({ reason: 'done', text: 'fine' });
    expect(sent).toHaveLength(2);
  },
);

test('an answer that was cut at its limit is an answer, and a warning says that it was cut', async () => {
  const { agent } = await setUp([stopped('max_tokens', say('The first half'))]);
  const events = await drain(agent.run('go'));
  expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'The first half' });
  expect(events).toContainEqual({ type: 'notice', level: 'warning', text: expect.stringContaining('was cut') });
});

function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

test('an unknown tool, a bad input and a tool that throws are errors for the model, not for the turn', async () => {
  const broken = tool('Break', 'write', () => Promise.reject(new Error('no disk')));
  const picky: AnyTool = { ...tool('Picky', 'read', async () => text('x')), parse: () => ({ ok: false, message: 'path is missing' }) };
  const { agent, sent } = await setUp([ended(call('Nope', {}), call('Picky', {}), call('Break', {}))], { tools: [broken, picky] });
  await drain(agent.run('go'));
  const last = bare(sent[1]?.messages.at(-1));
  expect(last).toContain('There is no tool named Nope. Tools: Break, Picky.');
  expect(last).toContain('path is missing');
  expect(last).toContain('Break failed: no disk');
});

test('a yes does not count where the call is forbidden by the time it is given', async () => {
  let mode: Mode = 'default';
  const ran: unknown[] = [];
  const write = tool('Write', 'write', async (input) => (ran.push(input), text('ok')));
  const { agent, sent } = await setUp([ended(call('Write', {}))], {
    tools: [write],
    permissions: createPermissions({ cwd: '/p', home: '/h', mode: () => mode, rules: {} }),
    ask: async () => {
      mode = 'plan';
      return { type: 'session' };
    },
  });
  await drain(agent.run('go'));
  expect(ran).toEqual([]);
  expect(bare(sent[1])).toContain('Not allowed: plan mode: nothing but the plan file is written before the plan is approved.');
});

test('what nobody can be asked about is refused with the reason; a word with a no reaches the model', async () => {
  const write = tool('Write', 'write', async () => text('written'));
  const asks: Permissions = { ...allowAll, judge: async () => ({ type: 'ask', why: 'it writes a file', rules: [] }) };
  const alone = await setUp([ended(call('Write', {}))], { tools: [write], permissions: asks });
  const events = await drain(alone.agent.run('go'));
  expect(bare(alone.sent[1])).toContain('Not allowed: it writes a file, and nobody is there to ask.');
  expect(resultOf(events)?.denied).toHaveLength(1);
  const asked = await setUp([ended(call('Write', {}))], {
    tools: [write],
    permissions: asks,
    ask: async () => ({ type: 'deny', words: 'use the other folder' }),
  });
  await drain(asked.agent.run('go'));
  expect(bare(asked.sent[1])).toContain('The person declined this call and said: use the other folder');
});

describe('an interrupt leaves a session that goes on', () => {
  test('in mid-stream: what had ended stays, the rest is dropped and shown as dropped', async () => {
    const { agent, sent, session } = await setUp([hangs([say('A whole block.')])]);
    const events = await drain(agent.run('go'), (event) => void (event.type === 'text-delta' && agent.interrupt('Esc')));
    expect(events.map(({ type }) => type)).toContain('response-dropped');
    expect(resultOf(events)?.reason).toBe('interrupted');
    expect(session.main.state).toBe('idle');
    await drain(agent.run('on'));
    expect(bare(sent[1])).toContain('A whole block.');
    expect(bare(sent[1])).not.toContain('half a');
  });

  test('in mid-stream with a finished call: the call stays and has an error result', async () => {
    const { agent, sent } = await setUp([hangs([call('Read', {}, 'toolu_x')])]);
    await drain(agent.run('go'), (event) => void (event.type === 'text-delta' && agent.interrupt('Esc')));
    await drain(agent.run('on'));
    expect(bare(sent[1])).toContain('"tool_use_id":"toolu_x"');
    expect(bare(sent[1])).toContain('Interrupted: Esc');
  });

  test('while a tool runs: finished results stay, the others are errors', async () => {
    const slow = tool('Slow', 'execute', (input: { n: number }, { signal }) => {
      if (input.n === 1) return Promise.resolve(text('first done'));
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(text('stopped')), { once: true }));
    });
    const { agent, sent } = await setUp([ended(call('Slow', { n: 1 }), call('Slow', { n: 2 }), call('Slow', { n: 3 }))], { tools: [slow] });
    let started = 0;
    await drain(agent.run('go'), (event) => void (event.type === 'tool-started' && ++started === 2 && agent.interrupt('Esc')));
    await drain(agent.run('on'));
    const results = sent[1]?.messages.flatMap((message): WireBlock[] => message.content).filter((block) => block.type === 'tool_result');
    expect(results?.map((block) => block.is_error ?? false)).toEqual([false, true, true]);
  });

  test('while a permission is asked for', async () => {
    const write = tool('Write', 'write', async () => text('written'));
    const { agent, session } = await setUp([ended(call('Write', {}))], {
      tools: [write],
      permissions: { ...allowAll, judge: async () => ({ type: 'ask', why: 'it writes', rules: [] }) },
      ask: (_request, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })),
    });
    const events = await drain(agent.run('go'), (event) => void (event.type === 'permission-requested' && agent.interrupt('Esc')));
    expect(resultOf(events)?.reason).toBe('interrupted');
    expect(JSON.stringify(events.filter(({ type }) => type === 'tool-ended'))).toContain('Not run: Esc.');
    expect(session.main.state).toBe('idle');
  });

  test('while waiting for a retry', async () => {
    const { agent, session } = await setUp([fails({ type: 'retry', afterMs: 60_000, status: 529, message: 'overloaded' })]);
    const events = await drain(agent.run('go'), (event) => void (event.type === 'retry-scheduled' && agent.interrupt('Esc')));
    expect(resultOf(events)?.reason).toBe('interrupted');
    expect(session.main.state).toBe('idle');
  });
});

test('529, then an answer', async () => {
  const { agent, clock } = await setUp([fails({ type: 'retry', afterMs: 2000, status: 529, message: 'overloaded' }), ended(say('here'))]);
  const events = await drain(
    agent.run('go'),
    (event) => void (event.type === 'retry-scheduled' && queueMicrotask(() => setImmediate(() => clock.advance(2000)))),
  );
  expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'here' });
});

test('a failure ends the turn with what to do, and the next prompt is a new message', async () => {
  const { agent, sent } = await setUp([fails({ type: 'fatal', status: 401, message: 'The key was refused.' }), ended(say('ok'))]);
  expect(resultOf(await drain(agent.run('one')))).toMatchObject({ reason: 'failed', text: 'The key was refused.' });
  await drain(agent.run('two'));
  expect(sent[1]?.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  expect(bare(sent[1]?.messages[0])).toBe(bare(sent[0]?.messages[0]));
});

test('a store that fails while calls run side by side stops the others, and the turn still says what it took', async () => {
  const stopped: string[] = [];
  const fill = tool('Fill', 'read', async () => {
    store.beforeWrite = () => {
      throw new Error('disk full');
    };
    return text('read');
  });
  const wait = tool('Wait', 'read', async (_input, { signal, call: id }) => {
    await new Promise<void>((resolve) => {
      // It takes a while to stop.
      signal.addEventListener('abort', () => setImmediate(resolve), { once: true });
    });
    stopped.push(id);
    return text('never stored');
  });
  const { agent, store } = await setUp([ended(call('Wait', {}, 'one'), call('Fill', {}), call('Wait', {}, 'two'))], {
    tools: [fill, wait],
  });
  const result = resultOf(await drain(agent.run('go')));
  expect(stopped).toEqual(['one', 'two']);
  expect(result).toMatchObject({ reason: 'failed', text: 'disk full', steps: 1, usage: { output_tokens: expect.any(Number) } });
  expect(result?.usage).toEqual(answer([]).usage);
});

test('a store that fails in mid-turn ends it with what it took, and the session goes on when it works again', async () => {
  const full = new Error('no space left');
  const fill = tool('Fill', 'write', async () => {
    store.beforeWrite = () => {
      throw full;
    };
    return text('x');
  });
  const { agent, sent, store } = await setUp([ended(call('Fill', {}, 'toolu_r')), ended(say('fine'))], { tools: [fill] });
  const events = await drain(agent.run('go'));
  expect(resultOf(events)).toMatchObject({ reason: 'failed', text: 'no space left', error: full, steps: 1 });
  expect(resultOf(events)?.usage.output_tokens).toBeGreaterThan(0);
  store.beforeWrite = () => undefined;
  expect(resultOf(await drain(agent.run('on')))).toMatchObject({ reason: 'done', text: 'fine' });
  expect(bare(sent[1])).toContain('The turn ended before this call did; it may have run.');
});

test('a limit of responses stops between answer and calls', async () => {
  const read = tool('Read', 'read', async () => text('x'));
  const { agent, sent } = await setUp([ended(call('Read', {})), ended(call('Read', {}))], { tools: [read], maxSteps: 2 });
  const events = await drain(agent.run('go'));
  expect(resultOf(events)).toMatchObject({ reason: 'max-turns', steps: 2 });
  expect(sent).toHaveLength(2);
  await drain(agent.run('on'));
  expect(bare(sent[2])).toContain('Not run: the limit of 2 responses was reached.');
});

test('only one turn at a time', async () => {
  const { agent } = await setUp([hangs([])]);
  const running = agent.run('go');
  await running.next();
  await expect(agent.run('again').next()).rejects.toThrow('a turn is running');
  await running.return();
  expect(agent.session.main.state).toBe('idle');
});

test('news that asks for it wakes an idle agent, eight times at most without a word of a person', async () => {
  const { agent, session, sent } = await setUp([]);
  expect(agent.wake()).toBeNull();
  await drain(agent.run('start the build'));
  for (let turn = 0; turn < 8; turn++) {
    await session.notify({ text: `news ${turn}`, trust: 'client', wake: true });
    const woken = agent.wake();
    expect(woken).not.toBeNull();
    if (woken !== null) await drain(woken);
    expect(bare(sent.at(-1)?.messages.at(-1))).toContain(`news ${turn}`);
    expect(agent.wake()).toBeNull();
  }
  await session.notify({ text: 'ninth', trust: 'client', wake: true });
  expect(agent.wake()).toBeNull();
  await drain(agent.run('and?'));
  expect(bare(sent.at(-1)?.messages.at(-1))).toContain('ninth');
});
