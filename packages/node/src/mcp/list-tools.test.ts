import { afterEach, expect, test } from 'vitest';
import type { McpHub, McpServerStatus } from './hub.js';
import { never, testHub, watch, type Behaviour } from './server.testing.js';

let hub: McpHub | undefined;
afterEach(() => hub?.close());

async function listed(act: Behaviour, changed: () => void = () => undefined): Promise<() => McpServerStatus | undefined> {
  const opened = testHub({ s: act }, { changed });
  hub = opened;
  await opened.settled({ ms: 20_000, signal: never });
  return () => opened.servers[0];
}
const namesOf = (server: McpServerStatus | undefined) => server?.tools.map(({ tool }) => tool);

test('a tool that is described badly is left out by name, and the others work', async () => {
  const news = watch();
  const server = await listed({ tools: ['ant', 'bad\u001b[2J', 'grow'], bare: ['bad\u001b[2J'] }, news.look);
  const left = expect.stringMatching(/^its tool bad is left out: inputSchema: .*expected object, received undefined/);
  expect(namesOf(server())).toEqual(['ant', 'grow']);
  expect(server()?.notes).toEqual([left]);
  expect(await hub?.call({ server: 's', tool: 'grow' }, {}, { signal: never })).toMatchObject({ type: 'done', isError: false });
  await news.until(() => namesOf(server())?.includes('grown') === true);
  expect(server()?.notes).toEqual([left]);
});

test('of more bad tools than anyone reads some are named, and the rest is counted', async () => {
  const bare = Array.from({ length: 14 }, (_, at) => `bad-${at}`);
  const server = await listed({ tools: [...bare, 'good'], bare });
  expect(namesOf(server())).toEqual(['good']);
  expect(server()?.notes).toHaveLength(11);
  expect(server()?.notes.at(-1)).toBe('4 more of its tools are left out');
});
