import { expect, test } from 'vitest';
import { startServer } from './server-process.js';
import { testHub, watch } from './server.testing.js';

test.each([
  [
    'node',
    "node:internal/modules/cjs/loader:1210\n  throw err;\n\nError: Cannot find module 'x.mjs'\n    at a (b:1:1) {\n  code: 'C'\n}\n\nNode.js v20",
    "Error: Cannot find module 'x.mjs'",
  ],
  ['node, with a code', 'a\nTypeError [ERR_X]: no such thing\n    at b', 'TypeError [ERR_X]: no such thing'],
  [
    'python',
    'Traceback (most recent call last):\n  File "a.py", line 1\nmcp.errors.ConfigError: no key\n',
    'mcp.errors.ConfigError: no key',
  ],
  ['other words', 'one\n\ntwo\nthree\nset KEY', 'two | three | set KEY'],
])('of a crash that prints its stack the line that names the error is told: %s', async (_of, fail, told) => {
  const { look, until } = watch();
  const hub = testHub({ s: { fail } }, { changed: look, pausesMs: [] });
  await until(() => hub.servers[0]?.state === 'failed');
  expect(hub.servers[0]?.why).toBe(`it ended with exit code 3; ${told}`);
  await hub.close();
});

test('a server that has ended before anybody listens is said to have ended, and how', async () => {
  const server = startServer({ command: process.execPath, args: ['-e', 'process.exit(3)'], env: {}, cwd: process.cwd() });
  await server.started;
  await server.end();
  expect(await new Promise((resolve) => server.listen({ line: () => {}, end: resolve }))).toBe('it ended with exit code 3');
  await expect(server.write('x')).rejects.toThrow('it ended with exit code 3');
});
