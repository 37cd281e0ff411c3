import { call, say } from '@sidenote/engine/testing';
import { expect, test } from 'vitest';
import type { AnyTool } from '../tools/tool.js';
import { drain, ended, setUp, text, tool } from './agent.testing.js';

const echo = (name: string): AnyTool => tool(name, 'read', async (input) => text(`${name} ran with ${JSON.stringify(input)}`));
/** Stands for the tool that `as` names. */
const gateway = (behind: readonly AnyTool[]): AnyTool => ({
  ...tool('Gate', 'execute', async () => text('the gate itself')),
  forward({ as, input }: { readonly as: string; readonly input: unknown }) {
    const found = behind.find(({ spec }) => spec.name === as);
    return found === undefined ? { ok: false, message: `There is no ${as} any more.` } : { ok: true, tool: found, input };
  },
});

test('a call to a tool that stands for others is judged, shown and run as the other; the model sees its own call answered', async () => {
  const judged: string[] = [];
  const { agent, sent } = await setUp(
    [ended(call('Gate', { as: 'Far', input: { x: 1 } }, 'a'), call('Gate', { as: 'Gone', input: {} }, 'b'))],
    {
      tools: [gateway([echo('Far')])],
      permissions: {
        mode: 'default',
        allow: () => undefined,
        judge: async ({ name }, { spec }, input) => {
          judged.push(`${name} ${spec.name} ${JSON.stringify(input)}`);
          return { type: 'allow', why: 'test' };
        },
      },
    },
  );
  const events = await drain(agent.run('go'));
  expect(judged).toEqual(['Far Far {"x":1}']);
  expect(events.find((event) => event.type === 'tool-started')).toMatchObject({ call: { id: 'a', name: 'Gate' }, title: 'Far' });
  const results = JSON.stringify(sent[1]?.messages.at(-1)?.content);
  expect(results).toContain('Far ran with');
  expect(results).toContain('There is no Gone any more.');
});

test('a tool that is not in the request can be called by its name where it is known', async () => {
  const { agent, sent } = await setUp([ended(call('Later', {}, 'a'))], {
    laterTools: (name) => (name === 'Later' ? echo('Later') : undefined),
  });
  await drain(agent.run('go'));
  expect(JSON.stringify(sent[1]?.messages)).toContain('Later ran with {}');
  expect(sent[0]?.tools).toEqual([]);
});

test('a tool can be called by the name that it had before, or in another case', async () => {
  const { agent, sent } = await setUp([ended(call('Task', {}, 'a'), call('agent', { x: 1 }, 'b'))], { tools: [echo('Agent')] });
  await drain(agent.run('go'));
  expect(JSON.stringify(sent[1]?.messages)).toMatch(/Agent ran with \{\}.*Agent ran with/);
});

test('calls through a gateway run side by side when what they reach only reads', async () => {
  let running = 0;
  let most = 0;
  const reader = tool('Far', 'read', async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return text('read');
  });
  const { agent } = await setUp([ended(call('Gate', { as: 'Far' }, 'a'), call('Gate', { as: 'Far' }, 'b')), ended(say('done'))], {
    tools: [gateway([reader])],
  });
  await drain(agent.run('go'));
  expect(most).toBe(2);
});
