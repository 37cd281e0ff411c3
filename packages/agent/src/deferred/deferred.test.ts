import type { Returned } from '@sidenote/engine';
import { call, say } from '@sidenote/engine/testing';
import { describe, expect, test } from 'vitest';
import { allowAll, drain, ended, setUp, text, tool } from '../loop/agent.testing.js';
import type { Permissions } from '../permissions/contract.js';
import type { AnyTool } from '../tools/tool.js';
import { callToolTool } from './call-tool.js';
import { deferredToolsPort, type DeferredTools } from './deferred-tools.js';
import { asDefined } from './definitions.js';
import { searchTools } from './search-tools.js';
import { toolSearchTool } from './tool-search.js';

const SCHEMA = { type: 'object' as const, properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] };
const weather = (input_schema: AnyTool['spec']['input_schema'] = SCHEMA): AnyTool =>
  asDefined({
    ...tool('mcp__sky__forecast', 'execute', async (input) => text(`sunny ${JSON.stringify(input)}`)),
    spec: { name: 'mcp__sky__forecast', description: 'Weather of the next days', input_schema },
  });

/** What is there now; a test exchanges it while the session runs. */
function shelf(...tools: AnyTool[]) {
  const state = { tools, settled: 0, later: [] as AnyTool[] };
  const deferred: DeferredTools = {
    groups: () => [{ name: 'sky', tools: state.tools }],
    find: (name) => state.tools.find(({ spec }) => spec.name === name),
    atStart: async () => {},
    async settled() {
      state.settled++;
      state.tools.push(...state.later.splice(0));
    },
  };
  return { state, deferred, tools: [toolSearchTool(deferred), callToolTool(deferred)] };
}

const play = async (bench: ReturnType<typeof shelf>, calls: readonly Returned[], permissions: Permissions = allowAll) => {
  const { agent, sent } = await setUp([...calls.map((one) => ended(one)), ended(say('done'))], {
    tools: bench.tools,
    laterTools: (name) => bench.deferred.find(name),
    permissions,
  });
  await drain(agent.run('go'));
  return { agent, sent, results: results(sent.at(-1)) };
};

function results(body: { readonly messages: readonly { readonly content: readonly object[] }[] } | undefined): readonly string[] {
  return (body?.messages ?? []).flatMap(({ content }) =>
    content.flatMap((block) => {
      if (!('type' in block) || block.type !== 'tool_result' || !('content' in block)) return [];
      return JSON.parse(JSON.stringify(block.content)).map((part: { text?: string }) => part.text ?? '');
    }),
  );
}

describe('the way to a deferred tool', () => {
  test('found, then called through the gateway or by its own name; the request holds the same two tools all the while', async () => {
    const { sent, results } = await play(shelf(weather()), [
      call('ToolSearch', { query: 'weather' }),
      call('CallTool', { name: 'mcp__sky__forecast', input: { city: 'Rome' } }),
      call('mcp__sky__forecast', { city: 'Oslo' }),
    ]);
    expect(results).toEqual([
      '{"name":"mcp__sky__forecast","description":"Weather of the next days","input_schema":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}}',
      'sunny {"city":"Rome"}',
      'sunny {"city":"Oslo"}',
    ]);
    expect(new Set(sent.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    expect(sent[0]?.tools.map(({ name }) => name)).toEqual(['ToolSearch', 'CallTool']);
  });

  test('an input that does not fit is answered with the definition; one that comes as a string is taken', async () => {
    const { results } = await play(shelf(weather()), [
      call('CallTool', { name: 'mcp__sky__forecast', input: { days: 'two' } }),
      call('CallTool', { name: 'mcp__sky__forecast', input: '{"city":"Rome"}' }),
    ]);
    expect(results[0]).toContain('Not run: the input does not fit mcp__sky__forecast: city is missing; days must be integer, not "two".');
    expect(results[0]).toContain('"input_schema":{"type":"object"');
    expect(results[1]).toBe('sunny {"city":"Rome"}');
  });

  test('a definition that changed since it was shown is shown anew before anything runs', async () => {
    const bench = shelf(weather());
    const changed = weather({ type: 'object', properties: { place: { type: 'string' } }, required: ['place'] });
    const swap = tool('Swap', 'read', async () => {
      bench.state.tools = [changed];
      return text('swapped');
    });
    const { results } = await play({ ...bench, tools: [...bench.tools, swap] }, [
      call('ToolSearch', { query: 'select:mcp__sky__forecast' }),
      call('Swap', {}),
      call('CallTool', { name: 'mcp__sky__forecast', input: { city: 'Rome' } }),
      call('CallTool', { name: 'mcp__sky__forecast', input: { place: 'Rome' } }),
    ]);
    expect(results[2]).toContain('Not run: mcp__sky__forecast has changed since its definition was shown.');
    expect(results[2]).toContain('"required":["place"]');
    expect(results[3]).toBe('sunny {"place":"Rome"}');
  });

  test('a tool that is not there any more says so', async () => {
    const bench = shelf();
    const { results } = await play(bench, [call('CallTool', { name: 'mcp__sky__gone', input: {} }), call('ToolSearch', { query: 'gone' })]);
    expect(results[0]).toBe('There is no tool mcp__sky__gone to be called this way; ToolSearch finds those that can be.');
    expect(results[1]).toBe('No tool matches. Searched: sky (0 tools).');
    expect(bench.state.settled).toBe(1);
  });

  test('a search without a hit waits for what is still being connected', async () => {
    const bench = shelf();
    bench.state.later.push(weather());
    const { results } = await play(bench, [call('ToolSearch', { query: 'select:mcp__sky__forecast,mcp__sky__forecasts' })]);
    expect(results[0]).toContain('There is no tool mcp__sky__forecasts; did you mean mcp__sky__forecast?\n{"name":"mcp__sky__forecast"');
  });

  test('permissions judge the real tool by its own name and input', async () => {
    const judged: unknown[] = [];
    const permissions: Permissions = {
      ...allowAll,
      judge: async ({ name, input }, { spec, access }) => {
        judged.push([name, input, spec.name, access]);
        return { type: 'deny', why: 'the rule mcp__sky forbids it' };
      },
    };
    const { results } = await play(shelf(weather()), [call('CallTool', { name: 'mcp__sky__forecast', input: { city: 'x' } })], permissions);
    expect(judged).toEqual([['mcp__sky__forecast', { city: 'x' }, 'mcp__sky__forecast', 'execute']]);
    expect(results[0]).toBe('Not allowed: the rule mcp__sky forbids it.');
  });

  test('the port gives names by group, and null for what can not be asked', async () => {
    const { deferred } = shelf(weather());
    const port = deferredToolsPort({ ...deferred, groups: () => [...deferred.groups(), { name: 'sea', tools: null }] });
    expect(await port.read(new AbortController().signal)).toMatchObject({
      value: [
        { name: 'sky', tools: ['mcp__sky__forecast'] },
        { name: 'sea', tools: null },
      ],
    });
  });
});

describe('search', () => {
  const named = (name: string, description: string): AnyTool => ({
    ...tool(name, 'read', async () => text('')),
    spec: { name, description, input_schema: { type: 'object' } },
  });
  const tools = [
    named('mcp__git__list_branches', 'Lists the branches of a repository'),
    named('mcp__git__merge', 'Merges one branch into another'),
    named('mcp__chat__list_rooms', 'Lists rooms'),
    named('mcp__mail__search', 'Findet Nachrichten; 查找邮件'),
  ];
  const found = (query: string) => searchTools(tools, query, { most: 10 }).tools.map(({ spec }) => spec.name.slice(5));

  test.each([
    ['list', ['git__list_branches', 'chat__list_rooms']],
    ['branch', ['git__list_branches', 'git__merge']],
    ['git +merge', ['git__merge']],
    ['LIST branches', ['git__list_branches', 'chat__list_rooms']],
    ['邮件', ['mail__search']],
    ['select: mcp__git__merge , mcp__chat__list_rooms', ['git__merge', 'chat__list_rooms']],
    ['nothing of the sort', ['git__list_branches']],
    ['', []],
  ])('%s', (query, names) => {
    expect(found(query)).toEqual(names);
  });
});
