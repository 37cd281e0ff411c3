import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '@sidenote/engine';
import { readHooks } from './read-hooks.js';

const origin = { layer: 'project', file: '/w/.claude/settings.json', folder: '/w' } as const;
function read(hooks: Readonly<Record<string, readonly Json[]>>) {
  const origins = new Map(
    Object.entries(hooks).flatMap(([event, list]) => list.map((_entry, index) => [`hooks.${event}.${index}`, origin])),
  );
  return readHooks({ settings: { hooks }, origins });
}
const command = (text: string) => ({ type: 'command', command: text });

test('every handler of every entry, with its limit in milliseconds', () => {
  const { hooks, problems } = read({
    PostToolUse: [
      { matcher: 'Edit|Write', hooks: [command('a'), { ...command('b'), timeout: 2.5, async: true, once: true, if: 'Edit(*.ts)' }] },
      { hooks: [{ type: 'http', url: 'http://localhost/x', headers: { A: '$B' }, allowedEnvVars: ['B'] }] },
    ],
    SessionStart: [{ matcher: 'startup', hooks: [{ ...command('c'), asyncRewake: true, args: ['1'] }] }],
    Stop: [
      {
        hooks: [
          { type: 'prompt', prompt: 'd' },
          { type: 'prompt', prompt: 'e', model: ' opus ', timeout: 45 },
          { type: 'agent', prompt: 'f' },
          { type: 'mcp_tool', server: ' g', tool: 'h', input: { a: [1] } },
          { ...command('i'), onFailure: 'block' },
        ],
      },
    ],
  });
  expect(problems).toEqual([]);
  expect(hooks.map(({ event, matcher, file, handler }) => ({ event, matcher, file, ...handler, key: '' }))).toMatchObject([
    { event: 'PostToolUse', matcher: 'Edit|Write', file: origin.file, command: 'a', limitMs: 600_000, beside: 'no', once: false },
    { command: 'b', limitMs: 2_500, beside: 'yes', once: true, condition: 'Edit(*.ts)' },
    { matcher: '', type: 'http', url: 'http://localhost/x', headers: { A: '$B' }, variables: ['B'] },
    { event: 'SessionStart', command: 'c', args: ['1'], limitMs: 60_000, beside: 'wakes' },
    { event: 'Stop', type: 'prompt', prompt: 'd', limitMs: 30_000 },
    { type: 'prompt', prompt: 'e', model: 'opus', limitMs: 45_000 },
    { type: 'agent', prompt: 'f', limitMs: 60_000, failsClosed: false },
    { type: 'mcp_tool', server: 'g', tool: 'h', input: { a: [1] }, limitMs: 600_000 },
    { type: 'command', command: 'i', failsClosed: true },
  ]);
});

test.each<[string, Record<string, Json[]>, string]>([
  ['a misspelt event', { PostToolUs: [{ hooks: [command('x')] }] }, 'there is no such event; did you mean "PostToolUse"?'],
  ['an event of others', { TeammateIdle: [{ hooks: [command('x')] }] }, 'does not happen here'],
  ['an entry that is no object', { Stop: ['x'] }, 'must be an object with a list "hooks"'],
  ['an entry without a list', { Stop: [{ matcher: '' }] }, 'has no list "hooks"'],
  ['a matcher that is no expression', { PreToolUse: [{ matcher: 'Bash(', hooks: [command('x')] }] }, 'no regular expression'],
  ['a handler that is no object', { Stop: [{ hooks: [1] }] }, 'must be an object with a "type"'],
  ['a handler without a type', { Stop: [{ hooks: [{ x: 1 }] }] }, 'has no "type"'],
  ['a type that there is not', { Stop: [{ hooks: [{ type: 'agents', prompt: 'x' }] }] }, 'is of the type "agents", which there is not'],
  ['a tool without a server', { Stop: [{ hooks: [{ type: 'mcp_tool', tool: 'x' }] }] }, 'has no "server"'],
  ['a server without a tool', { Stop: [{ hooks: [{ type: 'mcp_tool', server: 'x' }] }] }, 'has no "tool"'],
  ['an input that is none', { Stop: [{ hooks: [{ type: 'mcp_tool', server: 'x', tool: 'y', input: 'z' }] }] }, 'has no "input"'],
  ['an agent without words', { Stop: [{ hooks: [{ type: 'agent' }] }] }, 'has no "prompt"'],
  ['an empty command', { Stop: [{ hooks: [command(' ')] }] }, 'has no "command"'],
  ['an address of another kind', { Stop: [{ hooks: [{ type: 'http', url: 'file:///etc/passwd' }] }] }, 'has no "url"'],
])('%s is said with its file, and the rest runs', (_what, wrong, words) => {
  const { hooks, problems } = read({ ...wrong, SessionEnd: [{ hooks: [command('right')] }] });
  expect(hooks.map(({ event }) => event)).toEqual(['SessionEnd']);
  expect(problems).toEqual([expect.stringContaining(words)]);
  expect(problems[0]).toContain(origin.file);
});

test('what can still be understood is used, and said', () => {
  const { hooks, problems } = read({
    Stop: [{ ...command('bare') }, { matcher: 'Bash', hooks: [{ ...command('x'), timeout: -1 }] }],
    PreToolUse: [{ matcher: 3, hooks: [command('y')] }],
  });
  expect(hooks.map(({ handler }) => handler.limitMs)).toEqual([600_000, 600_000, 600_000]);
  expect(hooks.every(({ matches }) => matches(undefined))).toBe(true);
  expect(problems.map((line) => line.split(' a hook for ')[1])).toMatchInlineSnapshot(`
    [
      "Stop stands outside of a list "hooks": [{"hooks": [{"type": …}]}]; it is used all the same",
      "Stop has the matcher "Bash", which this event does not take; it runs every time",
      "Stop has a "timeout" that is no number of seconds above 0; 600 s hold",
      "PreToolUse has a matcher that is no string; it runs for everything",
    ]
  `);
});

test('whatever stands there, nothing is thrown', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(fc.constantFrom('Stop', 'PreToolUse', '__proto__'), fc.string()), fc.array(fc.jsonValue())),
      (hooks) => {
        const { hooks: found, problems } = read(hooks as Record<string, Json[]>);
        for (const hook of found) hook.matches('Bash');
        expect(problems.every((line) => !line.includes('\n'))).toBe(true);
      },
    ),
  );
});
