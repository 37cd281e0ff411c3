import { profileOf } from '@sidenote/engine';
import { expect, it, vi } from 'vitest';
import { anthropicAdapter } from './anthropic.js';
import { body, collect, describeAdapter, plan } from './behaviour.testing.js';
import type { Answer, Setting, Turn } from './behaviour.testing.js';
import { openaiAdapter } from './openai.js';
import { scriptedAdapter } from './scripted.js';
import type { ScriptBlock, ScriptStep } from './script.js';
import { openProvider } from './server.testing.js';
import type { Reply } from './server.testing.js';

const profile = profileOf('claude-opus-5-5');

/** Server-sent events of the Messages form, two deltas per text. */
function messagesEvents(answer: Answer): string[] {
  const event = (data: { readonly type: string; readonly [key: string]: unknown }) =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: answer.read ?? null, cache_creation_input_tokens: null };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, content: [], stop_reason: null, usage };
  const events = [event({ type: 'message_start', message }), event({ type: 'ping' })];
  let index = 0;
  const block = (content_block: object, deltas: readonly object[]) => {
    events.push(event({ type: 'content_block_start', index, content_block }));
    for (const delta of deltas) events.push(event({ type: 'content_block_delta', index, delta }));
    events.push(event({ type: 'content_block_stop', index }));
    index += 1;
  };
  const halves = (text: string) => {
    const all = [...text];
    return [all.slice(0, all.length / 2).join(''), all.slice(all.length / 2).join('')];
  };
  if (answer.thinking !== undefined) {
    const deltas = halves(answer.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
    block({ type: 'thinking', thinking: '', signature: '' }, [...deltas, { type: 'signature_delta', signature: 'c2lnbmVk' }]);
  }
  if (answer.text !== undefined)
    block(
      { type: 'text', text: '' },
      halves(answer.text).map((text) => ({ type: 'text_delta', text })),
    );
  for (const [at, { name, input }] of (answer.calls ?? []).entries()) {
    block(
      { type: 'tool_use', id: `toolu_${at}`, name, input: {} },
      halves(JSON.stringify(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    );
  }
  const stop_reason = answer.calls === undefined ? 'end_turn' : 'tool_use';
  return [
    ...events,
    event({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 5 } }),
    event({ type: 'message_stop' }),
  ];
}

/** Server-sent events of the Chat Completions form. */
function chatEvents(answer: Answer): string[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'served', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const usage = {
    prompt_tokens: 10 + (answer.read ?? 0),
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: answer.read ?? 0 },
  };
  return [
    ...(answer.thinking === undefined ? [] : [chunk({ role: 'assistant', reasoning_content: answer.thinking })]),
    ...[...(answer.text ?? '')].map((content) => chunk({ content })),
    ...(answer.calls ?? []).flatMap(({ name, input }, index) => [
      chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] }),
      ...[...JSON.stringify(input)].map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
    ]),
    chunk({}, answer.calls === undefined ? 'stop' : 'tool_calls'),
    `data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [], usage })}\n\n`,
    'data: [DONE]\n\n',
  ];
}

function replyOf(turn: Turn, events: (answer: Answer) => string[]): Reply {
  if (turn.type === 'error') {
    const headers = {
      'content-type': 'application/json',
      ...(turn.afterMs === undefined ? {} : { 'retry-after': String(turn.afterMs / 1000) }),
    };
    return { status: turn.status, headers, chunks: [JSON.stringify({ type: 'error', error: { type: turn.kind, message: turn.message } })] };
  }
  if (turn.type === 'nonsense') return { headers: { 'content-type': turn.contentType }, chunks: [turn.text] };
  const all = Buffer.from(events(turn.answer).join(''));
  if (turn.type === 'answer') {
    const { bytes = all.length } = turn;
    return { chunks: Array.from({ length: Math.ceil(all.length / bytes) }, (_, at) => all.subarray(at * bytes, (at + 1) * bytes)) };
  }
  return { chunks: [all.subarray(0, Math.floor(all.length * turn.at))], finish: turn.type };
}

const served =
  (events: (answer: Answer) => string[], adapt: (url: string, idleMs: number) => Setting['adapter']) =>
  async (turns: readonly Turn[], idleMs: number) => {
    const provider = await openProvider(turns.map((turn) => replyOf(turn, events)));
    return { adapter: adapt(provider.url, idleMs), close: provider.close };
  };

describeAdapter({
  name: 'anthropic',
  wire: true,
  set: served(messagesEvents, (baseURL, idleMs) => anthropicAdapter({ profile, baseURL, apiKey: 'key', idleMs })),
});
describeAdapter({ name: 'openai', wire: true, set: served(chatEvents, (baseURL, idleMs) => openaiAdapter({ profile, baseURL, idleMs })) });

function stepOf(turn: Turn): ScriptStep {
  if (turn.type === 'nonsense') return { content: [] };
  if (turn.type === 'error') {
    const { status, kind, message, afterMs } = turn;
    return { content: [], error: { status, type: kind, message, ...(afterMs === undefined ? {} : { retry_after_ms: afterMs }) } };
  }
  const { thinking, text, calls = [], read } = turn.answer;
  const content: ScriptBlock[] = [
    ...(thinking === undefined ? [] : [{ type: 'thinking' as const, thinking }]),
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map((call) => ({ type: 'tool_use' as const, ...call })),
  ];
  const usage = { input_tokens: 10, output_tokens: 5, ...(read === undefined ? {} : { cache_read_input_tokens: read }) };
  return { content, usage, ...(turn.type === 'cut' ? { cut: 'input' as const } : {}) };
}
describeAdapter({
  name: 'scripted',
  wire: false,
  set: async (turns) => ({
    adapter: scriptedAdapter(
      turns.map(stepOf).flatMap((step) => Array.from({ length: turns.length === 1 ? 9 : 1 }, () => step)),
      { model: body.model },
    ),

    close: async () => {},
  }),
});

const once = async (adapter: Setting['adapter'], request = body) =>
  (await collect(adapter.stream(plan, request, new AbortController().signal))).at(-1);

it('anthropic: prints nothing, also of a model that its SDK warns about', async () => {
  const warn = vi.spyOn(console, 'warn');
  const provider = await openProvider([{ chunks: messagesEvents({ text: 'hi' }) }]);
  const old = 'claude-sonnet-4-5-20250929';
  const adapter = anthropicAdapter({ profile: profileOf(old), baseURL: provider.url, apiKey: 'key' });
  expect(await once(adapter, { ...body, model: old })).toMatchObject({ type: 'response-ended' });
  await provider.close();
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

it('anthropic: sends the body as it is, with a limit and a stream', async () => {
  const provider = await openProvider([{ chunks: messagesEvents({ text: 'hi' }) }]);
  await once(anthropicAdapter({ profile, baseURL: provider.url, apiKey: 'key', headers: { 'x-own': '1' } }));
  expect(provider.requests[0]?.body).toEqual({ ...body, max_tokens: profile.maxOutput, stream: true });
  expect(provider.requests[0]?.headers).toMatchObject({ authorization: 'Bearer key', 'x-own': '1' });
  await once(anthropicAdapter({ profile, baseURL: provider.url, authToken: 'token' }));
  expect(provider.requests[1]?.headers).toMatchObject({ authorization: 'Bearer token' });
  await once(anthropicAdapter({ profile, baseURL: provider.url }));
  expect(provider.requests[2]?.headers.authorization).toBeUndefined();
  await provider.close();
});

it('anthropic: the automatic mark passes through, the diagnosis of the cache is asked for and kept', async () => {
  const [start = '', ...rest] = messagesEvents({ text: 'hi' });
  const told = start.replace('"content":[]', '"content":[],"diagnostics":{"cache_miss_reason":{"type":"system_changed"}}');
  const provider = await openProvider([{ chunks: [told, ...rest] }]);
  const marked = { ...body, cache_control: { type: 'ephemeral' as const, ttl: '1h' as const } };
  const adapter = anthropicAdapter({ profile, baseURL: provider.url, apiKey: 'key', diagnostics: true });
  const last = await once(adapter, marked);
  expect(provider.requests[0]?.body).toEqual({
    ...marked,
    diagnostics: { previous_message_id: 'msg_0' },
    max_tokens: profile.maxOutput,
    stream: true,
  });
  expect(last?.type === 'response-ended' ? last.message.diagnostics : last).toEqual({ cache_miss_reason: { type: 'system_changed' } });
  await provider.close();
});

it('anthropic: keeps signatures, hidden thinking and blocks that it does not know', async () => {
  const line = (data: { type: string; [key: string]: unknown }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const [start = '', , ...rest] = messagesEvents({});
  const foreign = { type: 'compaction', content: null, extra: { deep: [1] } };
  const chunks = [
    start,
    line({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
    line({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'abc=' } }),
    line({ type: 'content_block_stop', index: 0 }),
    line({ type: 'content_block_start', index: 1, content_block: foreign }),
    line({ type: 'content_block_delta', index: 1, delta: { type: 'compaction_delta', content: 'sum' } }),
    line({ type: 'content_block_delta', index: 1, delta: { type: 'compaction_delta', content: 'mary' } }),
    line({ type: 'content_block_stop', index: 1 }),
    line({ type: 'brand_new_event', index: 9 }),
    line({ type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't', name: 'Write', input: {} } }),
    line({ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"file_pa' } }),
    line({ type: 'content_block_stop', index: 2 }),
    ...rest,
  ];
  const provider = await openProvider([{ chunks }]);
  const last = await once(anthropicAdapter({ profile, baseURL: provider.url, apiKey: 'key' }));
  expect(last?.type === 'response-ended' ? last.message.content : last).toEqual([
    { type: 'thinking', thinking: '', signature: 'abc=' },
    { ...foreign, content: 'summary' },
    { type: 'tool_use', id: 't', name: 'Write', input: { unreadable_input: '{"file_pa' } },
  ]);
  await provider.close();
});

it('anthropic: an error inside the stream, a spent limit and a refusal', async () => {
  const [start = ''] = messagesEvents({});
  const provider = await openProvider([
    { chunks: [start, 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'] },
    {
      status: 429,
      headers: { 'content-type': 'application/json' },
      chunks: [
        '{"type":"error","error":{"type":"rate_limit_error","message":"Limit","details":{"error_code":"enforced_spend_limit_reached"}}}',
      ],
    },
    {
      chunks: [
        start,
        'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"refusal"},"usage":{"output_tokens":0}}\n\n',
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
      ],
    },
  ]);
  const adapter = anthropicAdapter({ profile, baseURL: provider.url, apiKey: 'key' });
  expect(await once(adapter)).toMatchObject({ type: 'response-failed', failure: { type: 'retry', message: 'Overloaded' } });
  expect(await once(adapter)).toMatchObject({ type: 'response-failed', failure: { type: 'fatal', status: 429 } });
  expect(await once(adapter)).toMatchObject({ type: 'response-ended', message: { stop_reason: 'refusal', content: [] } });
  await provider.close();
});

it('anthropic: a ping is a sign of life', async () => {
  const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
  const provider = await openProvider([{ chunks: [...Array.from({ length: 200 }, () => ping), ...messagesEvents({ text: 'late' })] }]);
  expect((await once(anthropicAdapter({ profile, baseURL: provider.url, apiKey: 'key', idleMs: 2_000 })))?.type).toBe('response-ended');
  await provider.close();
});

it('openai: speaks plainly to servers that are not OpenAI', async () => {
  const provider = await openProvider([{ chunks: chatEvents({ text: 'hi' }) }]);
  await once(openaiAdapter({ profile, baseURL: provider.url, model: 'qwen' }));
  expect(provider.requests[0]?.body).toMatchObject({
    model: 'qwen',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'system' }, { role: 'user' }],
  });
  expect(Object.keys(Object(provider.requests[0]?.body))).not.toContain('prompt_cache_key');
  expect(provider.requests[0]?.headers.authorization).toBeUndefined();
  await once(openaiAdapter({ profile, baseURL: provider.url, apiKey: 'secret' }));
  expect(provider.requests[1]?.headers.authorization).toBe('Bearer secret');
  await provider.close();
});

it.each([
  ['one id', ['same', 'same'], [0, 1]],
  ['one number', ['one', 'two'], [0, 0]],
  ['one id and one number', ['same', 'same'], [0, 0]],
  ['one id and no number', ['same', 'same'], [undefined, undefined]],
])('openai: two calls with %s stay two', async (_, ids, numbers) => {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const calls = ids.map((id, at) => {
    return chunk({ tool_calls: [{ id, index: numbers[at], function: { name: 'Read', arguments: `{"n":${at}}` } }] });
  });
  const provider = await openProvider([{ chunks: [...calls, chunk({}, 'tool_calls')] }]);
  const last = await once(openaiAdapter({ profile, baseURL: provider.url }), body);
  expect(last?.type === 'response-ended' ? last.message : last).toMatchObject({
    content: [
      { id: ids[0], name: 'Read', input: { n: 0 } },
      { id: ids[0] === ids[1] ? expect.stringMatching(/^call_/) : ids[1], name: 'Read', input: { n: 1 } },
    ],
  });
  await provider.close();
});

it('anthropic: a second call with the id of another gets one of its own', async () => {
  const read = (n: number) => ({ name: 'Read', input: { n } });
  const events = messagesEvents({ calls: [read(0), read(1), read(2)] }).map((event) => event.replace('toolu_1', 'toolu_0'));
  const provider = await openProvider([{ chunks: events }]);
  const used = {
    ...body,
    messages: [
      ...body.messages,
      { role: 'assistant' as const, content: [{ type: 'tool_use' as const, id: 'toolu_2', name: 'Read', input: {} }] },
    ],
  };
  const last = await once(anthropicAdapter({ profile, baseURL: provider.url }), used);
  const message = last?.type === 'response-ended' ? last.message : null;
  expect(message?.content.map((block) => ('input' in block ? block.input : null))).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
  const ids = message?.content.map((block) => ('id' in block ? String(block.id) : '')) ?? [];
  expect(ids[0]).toBe('toolu_0');
  expect(new Set([...ids, 'toolu_2']).size).toBe(4);
  await provider.close();
});

it('openai: calls without numbers or ids, ids that were used before, and inputs that are no JSON', async () => {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const call = (id: string | undefined, text: string) => chunk({ tool_calls: [{ id, function: { name: 'Read', arguments: text } }] });
  const provider = await openProvider([
    {
      chunks: [
        call('old', '{"a":1}'),
        call('new', '{"b":'),
        chunk({ tool_calls: [{ function: { arguments: '2}' } }] }),
        call('third', '{"c":'),
        chunk({}, 'stop'),
      ],
    },
  ]);
  const used = {
    ...body,
    messages: [
      ...body.messages,
      { role: 'assistant' as const, content: [{ type: 'tool_use' as const, id: 'old', name: 'Read', input: {} }] },
    ],
  };
  const last = await once(openaiAdapter({ profile, baseURL: provider.url }), used);
  expect(last?.type === 'response-ended' ? last.message : last).toMatchObject({
    stop_reason: 'tool_use',
    content: [
      { id: expect.stringMatching(/^call_/), input: { a: 1 } },
      { id: 'new', input: { b: 2 } },
      { id: 'third', input: { unreadable_input: '{"c":' } },
    ],
  });
  await provider.close();
});
