import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HubOptions, McpCall, McpHub, McpOutcome } from './hub.js';
import { approved, never, testHub, watch, type Behaviour } from './server.testing.js';

const open: McpHub[] = [];
function hubOf(servers: Readonly<Record<string, Behaviour>>, options: Partial<HubOptions> = {}): McpHub {
  const hub = testHub(servers, options);
  open.push(hub);
  return hub;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((hub) => hub.close()));
});
const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'sidenote-mcp-')));
const ready = (hub: McpHub) => hub.settled({ ms: 20_000, signal: never });
const call = (hub: McpHub, tool: string, input = {}, how: Partial<McpCall> = {}) =>
  hub.call({ server: 's', tool }, input, { signal: never, ...how });
const said = (outcome: McpOutcome) =>
  outcome.type === 'failed' ? outcome.why : outcome.content.map((block) => ('text' in block ? block.text : `[${block.type}]`)).join('|');
const state = (hub: McpHub, name = 's') => hub.servers.find((server) => server.name === name);

test('tools by name, called, with what the server says of itself', async () => {
  const hub = hubOf({ s: { tools: ['bee', 'ant'], instructions: 'Use ant first.' } });
  await ready(hub);
  expect(state(hub)).toMatchObject({ state: 'ready', scope: 'user', notes: [] });
  expect(state(hub)?.tools.map(({ spec }) => spec)).toEqual([
    { name: 'mcp__s__ant', description: 'does ant', input_schema: { type: 'object', properties: {} } },
    { name: 'mcp__s__bee', description: 'does bee', input_schema: { type: 'object', properties: {} } },
  ]);
  expect(await call(hub, 'ant', { a: 1 })).toEqual({
    type: 'done',
    content: [{ type: 'text', text: 'RESULT ant {"a":1}' }],
    isError: false,
  });
  const reading = await hub.ports.mcp.read(never);
  expect(reading).toMatchObject({ type: 'ready', value: [{ name: 's', state: 'ready', instructions: 'Use ant first.' }] });
});

test('a server that is slow holds nobody up; a call for it waits', async () => {
  const hub = hubOf({ fast: { tools: ['a'] }, s: { tools: ['b'], slow: 1_500 } });
  await hub.settled({ ms: 0, signal: never });
  const reading = await hub.ports.mcp.read(never);
  expect(reading.type === 'ready' && reading.value.find(({ name }) => name === 's')?.state).toBe('connecting');
  expect(said(await call(hub, 'b'))).toBe('RESULT b {}');
});

test('only the first second of a session waits a moment for servers', async () => {
  const hub = hubOf({ s: { slow: 60_000 } });
  await hub.settled({ ms: 1_001, signal: never });
  let isLate = false;
  setImmediate(() => (isLate = true));
  await hub.atStart(never);
  expect(isLate).toBe(false);
});

describe('what is lost', () => {
  test('a server that ended is started again, and its calls say what happened', async () => {
    const { look, until } = watch();
    const hub = hubOf({ s: { tools: ['die', 'ant'] } }, { changed: look, pausesMs: [1, 1] });
    await ready(hub);
    expect(said(await call(hub, 'die'))).toContain('the connection was lost');
    await until(() => state(hub)?.state === 'ready');
    expect(said(await call(hub, 'ant'))).toBe('RESULT ant {}');
  });

  test('one that has run for long is started again like a new one', async () => {
    const { look, until } = watch();
    const hub = hubOf({ s: { tools: ['die', 'ant'] } }, { changed: look, pausesMs: [1] });
    await ready(hub);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    await call(hub, 'die').finally(() => vi.useRealTimers());
    await until(() => state(hub)?.state !== 'connecting');
    expect(state(hub)?.state).toBe('ready');
    expect(said(await call(hub, 'ant'))).toBe('RESULT ant {}');
  });

  test('what several calls find at once is one loss, and begins one server', async () => {
    let starts = 0;
    const leaving: ServerResponse[] = [];
    // Answers a handshake, cuts off every call, and is slow to take leave.
    const server = createServer((request, response) => {
      if (request.method === 'DELETE') return void leaving.push(response);
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { id, method, params } = JSON.parse(body || '{}');
        if (method === 'tools/call') return request.socket.destroy();
        if (id === undefined) return response.writeHead(request.method === 'GET' ? 405 : 202).end();
        if (method === 'initialize') starts++;
        const result =
          method === 'initialize'
            ? { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'h', version: '1' } }
            : {};
        response
          .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { look, until } = watch();
    const states: string[] = [];
    const hub = hubOf(
      {},
      {
        servers: [approved('s', { type: 'http', url: `http://127.0.0.1:${port}/`, headers: {} })],
        pausesMs: [1, 1, 1],
        changed: () => {
          states.push(state(hub)?.state ?? '');
          look();
        },
      },
    );
    await ready(hub);
    await Promise.all(['a', 'b', 'c'].map((tool) => call(hub, tool)));
    await until(() => states.filter((one) => one === 'ready').length === 2);
    for (const response of leaving) response.end();
    expect(said(await hub.read('s', 'x:y', { signal: never }))).not.toContain('lost');
    expect(states).toEqual(['ready', 'connecting', 'ready']);
    expect(starts).toBe(2);
    await hub.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('after the last attempt it is given up, with its own words; reconnect tries once more', async () => {
    const marks = folder();
    const { look, until } = watch();
    const hub = hubOf({ s: { fail: 'no \u001b[31mlicence\u001b[0m', marks } }, { changed: look, pausesMs: [1, 1, 1, 1] });
    await until(() => state(hub)?.state === 'failed');
    expect(state(hub)?.why).toBe('it ended with exit code 3; no licence (given up after 5 attempts)');
    expect(readdirSync(marks)).toHaveLength(5);
    expect(said(await call(hub, 'ant'))).toContain('the MCP server s is not there (it ended with exit code 3');
    expect((await hub.reconnect('s'))?.state).toBe('connecting');
    expect(readdirSync(marks)).toHaveLength(6);
  });

  test('a command that is not there is not tried again', async () => {
    const hub = hubOf({}, { servers: [approved('s', { type: 'stdio', command: '/nowhere/at-all', args: [], env: {} })] });
    await ready(hub);
    expect(state(hub)).toMatchObject({ state: 'failed', why: 'its command was not found' });
    const whole = hubOf({}, { servers: [approved('s', { type: 'stdio', command: 'npx -y notes', args: [], env: {} })] });
    await ready(whole);
    expect(state(whole)).toMatchObject({ why: 'its command was not found: words behind the program belong into "args"' });
  });
});

test('a list that changed is read again; one that can not be had stays as it was', async () => {
  const { look, until } = watch();
  const hub = hubOf({ s: { tools: ['grow'] }, t: { tools: ['grow'], listOnce: true } }, { changed: look });
  await ready(hub);
  await call(hub, 'grow');
  await until(() => state(hub)?.tools.length === 2);
  expect(state(hub)?.tools.map(({ tool }) => tool)).toEqual(['grow', 'grown']);
  await hub.call({ server: 't', tool: 'grow' }, {}, { signal: never });
  await until(() => state(hub, 't')?.notes.length === 1);
  expect(state(hub, 't')?.tools).toHaveLength(1);
  expect(state(hub, 't')?.notes[0]).toContain('its tools could not be listed');
});

test('progress is told, and an interrupted call is cancelled at the server', async () => {
  const marks = folder();
  const hub = hubOf({ s: { tools: ['wait', 'ant'], marks } });
  await ready(hub);
  const stop = new AbortController();
  const progress = (text: string): void => {
    expect(text).toBe('step (1/3)\n');
    stop.abort('Esc');
  };
  expect((await call(hub, 'wait', {}, { signal: stop.signal, progress })).type).toBe('failed');
  // The next answer comes after the notification was read.
  await call(hub, 'ant');
  expect(readdirSync(marks)).toContain('cancelled');
});

test('a call has a time limit', async () => {
  const hub = hubOf({ s: { tools: ['wait'] } }, { env: { PATH: process.env['PATH'], MCP_TOOL_TIMEOUT: '50' } });
  await ready(hub);
  expect(said(await call(hub, 'wait'))).toBe('there was no answer in time; the server may still be at work on it');
});

test('all that a server started ends with the hub', async () => {
  const marks = folder();
  const hub = hubOf({ s: { tools: ['ant'], child: true, marks } });
  await ready(hub);
  const child = Number(readFileSync(join(marks, 'child'), 'utf8'));
  const server = Number(
    readdirSync(marks)
      .find((name) => name.startsWith('start-'))
      ?.slice(6),
  );
  await hub.close();
  const isAlive = (pid: number) => {
    try {
      // A zombie that nobody has waited for yet is dead as well.
      return !/^\S+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };
  expect([isAlive(child), isAlive(server)]).toEqual([false, false]);
});

test('a server that is still being started ends, too', async () => {
  const marks = folder();
  const hub = hubOf({ s: { slow: 60_000, marks } });
  await hub.settled({ ms: 1, signal: never });
  const before = performance.now();
  await hub.close();
  expect(performance.now() - before).toBeLessThan(10_000);
});

describe('what a server sends', () => {
  test('words that are no messages are passed over, lines without an end are not', async () => {
    const { look, until } = watch();
    const hub = hubOf(
      { s: { tools: ['ant'], noise: 'hello\n{"broken": \n[1,2]\n"x"' }, f: { flood: true } },
      { changed: look, pausesMs: [] },
    );
    await until(() => state(hub)?.state === 'ready' && state(hub, 'f')?.state === 'failed');
    expect(said(await call(hub, 'ant'))).toBe('RESULT ant {}');
    expect(state(hub, 'f')?.why).toContain('more than 64 MB');
  });

  test('pictures by their bytes, data, nothing at all, errors, and what can not be shown', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const results = {
      picture: {
        content: [
          { type: 'image', data: png, mimeType: 'image/jpeg' },
          { type: 'text', text: 'a dot' },
        ],
      },
      lie: { content: [{ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }] },
      data: { content: [], structuredContent: { a: 1 } },
      empty: { content: [{ type: 'text', text: ' \n' }] },
      wrong: { content: [{ type: 'text', text: 'no' }], isError: true },
      nonsense: { content: 'hello' },
    };
    const hub = hubOf({ s: { tools: Object.keys(results), results } });
    await ready(hub);
    expect(said(await call(hub, 'picture'))).toBe('[image]|a dot');
    expect(await call(hub, 'picture')).toMatchObject({ content: [{ source: { media_type: 'image/png', data: png } }, {}] });
    expect(said(await call(hub, 'lie'))).toBe('[binary]');
    expect(said(await call(hub, 'data'))).toBe('{"a":1}');
    expect(await call(hub, 'empty')).toEqual({ type: 'done', content: [], isError: false });
    expect(await call(hub, 'wrong')).toMatchObject({ type: 'done', isError: true });
    expect((await call(hub, 'nonsense')).type).toBe('failed');
  });

  test('50 MB in one result arrive', async () => {
    const hub = hubOf({ s: { tools: ['huge'] } });
    await ready(hub);
    expect(said(await call(hub, 'huge')).length).toBe(52_500_000);
  });

  test('what went wrong is a line, however much the server says of it', async () => {
    const hub = hubOf({
      s: { tools: ['fault', 'odd'], results: { odd: { content: [{ type: 'video' }] } } },
      t: { tools: ['a'], schema: 'none' },
    });
    await ready(hub);
    const why = said(await call(hub, 'fault'));
    expect(why).toMatch(/^the server answered with an error: no no .*…$/);
    expect(why.length).toBeLessThan(2_100);
    expect(said(await call(hub, 'odd'))).toMatch(/^Invalid result for tools\/call: \[ \{ .+/);
    expect(state(hub, 't')).toMatchObject({
      tools: [],
      notes: [expect.stringMatching(/^its tool a is left out: inputSchema: .*expected object, received string/)],
    });
  });

  test('descriptions and schemas are cut and named', async () => {
    const big = { type: 'object', properties: { x: { type: 'string', description: 'x'.repeat(70_000) } } };
    const hub = hubOf({ s: { tools: ['a'], description: 'd'.repeat(5_000), schema: big } });
    await ready(hub);
    const spec = state(hub)?.tools[0]?.spec;
    expect(spec?.description).toHaveLength(2_048);
    expect(spec?.input_schema).toEqual({ type: 'object' });
    expect(state(hub)?.notes).toEqual([
      'descriptions of 1 of its tools are cut at 2048 characters',
      'the inputs of a are described at too great length: it is called without that',
    ]);
  });

  test('names as providers take them, whatever the order in which they are listed', async () => {
    const tools = ['a.b', 'a b', 'x'.repeat(90), 'ünï'];
    const names = (hub: McpHub) => state(hub, 'my_server')?.tools.map(({ spec }) => spec.name);
    const [one, two] = [hubOf({ my__server: { tools } }), hubOf({ my__server: { tools: tools.toReversed() } })];
    await Promise.all([ready(one), ready(two)]);
    expect(names(one)).toEqual(names(two));
    for (const name of names(one) ?? []) expect(name).toMatch(/^mcp__my_server__[a-zA-Z0-9_-]{1,48}$/);
    expect(new Set(names(one)).size).toBe(4);
    expect(state(one, 'my_server')?.notes[0]).toBe('"a.b" is called a_b_2 here, since another one is called a_b');
  });
});

test('variables are filled in; a server whose variable is missing fails alone, and no value is shown', async () => {
  const entry = (value: string) => ({ type: 'stdio', command: process.execPath, args: [], env: { TOKEN: value } });
  const hub = hubOf(
    {},
    {
      servers: [approved('s', entry('${TOKEN_X}')), approved('t', { type: 'http', url: 'http://127.0.0.1:${PORT:-1}/', headers: {} })],
      pausesMs: [],
    },
  );
  await ready(hub);
  expect(state(hub)).toMatchObject({ state: 'failed', why: '${TOKEN_X} is not set (mcp.json)' });
  expect(state(hub, 't')?.reaches).toBe('http://127.0.0.1:${PORT:-1}/ (http)');
  expect(state(hub, 't')?.state).toBe('failed');
});

test('resources by mention, prompts with their inputs', async () => {
  const hub = hubOf({ s: { resources: { 'note://1': 'words' }, prompts: { review: 'Review:' } } });
  await ready(hub);
  const { mcpResources } = hub.ports;
  const found = mcpResources.find('look at @s:note://1, (@s:note://2) `@s:x` me@s:y @other:z @other:a://b @types:node');
  expect(found).toEqual([
    { raw: '@s:note://1', server: 's', uri: 'note://1' },
    { raw: '@s:note://2', server: 's', uri: 'note://2' },
    { raw: '@other:a://b', server: 'other', uri: 'a://b' },
  ]);
  const readings = await Promise.all(found.map((mention) => mcpResources.read(mention, never)));
  expect(readings).toEqual([
    { type: 'resource', content: [{ type: 'text', text: 'words' }] },
    { type: 'unusable', why: expect.stringContaining('no such resource') },
    { type: 'unusable', why: 'there is no MCP server other (there are s)' },
  ]);
  expect(state(hub)?.prompts).toEqual([
    {
      server: 's',
      prompt: 'review',
      name: 'mcp__s__review',
      description: 'asks review',
      arguments: [
        { name: 'what', required: true },
        { name: 'how', required: false },
      ],
    },
  ]);
  expect(said(await hub.prompt({ server: 's', prompt: 'review' }, { what: 'x' }, { signal: never }))).toBe('Review: {"what":"x"}');
});
