import { bare, call, say } from '@sidenote/engine/testing';
import { expect, it } from 'vitest';
import { drain, text, tool } from '../loop/agent.testing.js';
import { bench, done, gate, isSub } from './subagents.testing.js';

const task = (prompt: string, more: Record<string, unknown> = {}) => call('Agent', { description: 'a task', prompt, ...more });
const results = (body: { readonly messages: readonly unknown[] } | undefined): string => bare(body?.messages.at(-1));

it('says what one that goes on lacks, as when it began', async () => {
  const { agent, agents, bodies, session } = await bench(
    (body) => {
      if (isSub(body, 'SUB')) return [say('ended')];
      if (bare(body.messages.at(-1)).includes('"second"'))
        return [call('SendMessage', { to: session.agents[0]?.thread, message: 'More.' })];
      return body.messages.length === 1 ? [task('SUB', { subagent_type: 'lacks' })] : done;
    },
    {
      extra: [{ name: 'lacks', description: 'x', prompt: 'y', mcpServers: { names: [], own: {} } }],
      servers: async () => ({ tools: [], ports: {}, notes: ['its server is not there'], close: async () => {} }),
    },
  );
  await drain(agent.run('first'));
  expect(results(bodies.at(-1))).toContain('(its server is not there)');
  await drain(agent.run('second'));
  while (agents.runsInBackground) await agents.oneEnds(new AbortController().signal);
  const told = bodies.filter((body) => !isSub(body, 'SUB')).map(results);
  expect(told.at(-1)).toMatch(/goes on with your message.*\(its server is not there\)/);
});

it('ends the servers of one that can not begin', async () => {
  let closed = 0;
  const extras = { tools: [], ports: {}, notes: [], close: async () => void closed++ };
  const fails = { name: 'fails', description: 'x', prompt: 'y', skills: ['s'], mcpServers: { names: [], own: {} } };
  const { agent, bodies } = await bench((body) => (body.messages.length === 1 ? [task('SUB', { subagent_type: 'fails' })] : done), {
    extra: [fails],
    servers: async () => extras,
    skillTexts: () => Promise.reject(new Error('no skill can be read')),
  });
  await drain(agent.run('go'));
  expect(results(bodies[1])).toContain('no skill can be read');
  expect(closed).toBe(1);
});

it('starts the servers of several side by side, and a slow one holds up no agent that waits for none', async () => {
  const seen = new Set<string>();
  let go: () => void = () => {};
  const both = new Promise<void>((resolve) => (go = resolve));
  const saw = (what: string): void => void (seen.add(what).size === 2 && go());
  const typed = (name: string) => ({ name, description: 'x', prompt: 'y', mcpServers: { names: [], own: {} } });
  const { agent, session } = await bench(
    (body) => {
      if (isSub(body, 'SUB-PLAIN')) saw('plain');
      if (isSub(body, 'SUB')) return done;
      const tasks = ['slow', 'quick', 'Explore'].map((name) => task(`SUB${name === 'Explore' ? '-PLAIN' : ''}`, { subagent_type: name }));
      return body.messages.length === 1 ? tasks : done;
    },
    {
      extra: [typed('slow'), typed('quick')],
      servers: async ({ name }) => {
        if (name === 'quick') saw('quick');
        else await both;
        return { tools: [], ports: {}, notes: [], close: async () => {} };
      },
    },
  );
  await drain(agent.run('go'));
  expect(session.agents.map((one) => one.agent).toSorted()).toEqual(['Explore', 'quick', 'slow']);
});

it('gives a name once, also while servers of another one with it still start', async () => {
  const named = { name: 'own', description: 'x', prompt: 'y', mcpServers: { names: [], own: {} } };
  let closed = 0;
  const { agent, bodies } = await bench(
    (body) => {
      if (isSub(body, 'SUB')) return done;
      const twice = [1, 2].map(() => task('SUB', { subagent_type: 'own', name: 'pip' }));
      return body.messages.length === 1 ? twice : done;
    },
    {
      extra: [named],
      servers: async () => ({ tools: [], ports: {}, notes: [], close: async () => void closed++ }),
      team: { join: async () => undefined, idle: async () => undefined },
    },
  );
  await drain(agent.run('go'));
  expect(results(bodies.at(-1)).split('The name pip is taken')).toHaveLength(2);
  expect(closed).toBe(2);
});

it('has its own server before one of the session of the same name, and no longer than it works', async () => {
  let closed = 0;
  const own = tool('Read', 'read', async () => text('of its own server'));
  const { agent, bodies } = await bench(
    (body) => (body.messages.length > 1 ? done : isSub(body, 'SUB') ? [call('Read', {})] : [task('SUB', { subagent_type: 'own' })]),
    {
      extra: [{ name: 'own', description: 'x', prompt: 'y', mcpServers: { names: [], own: {} } }],
      servers: async () => ({ tools: [own], ports: {}, notes: [], close: async () => void closed++ }),
    },
  );
  await drain(agent.run('go'));
  const sub = bodies.filter((body) => isSub(body, 'SUB'));
  expect(sub[0]?.tools.filter(({ name }) => name === 'Read')).toHaveLength(1);
  expect(results(sub[1])).toContain('of its own server');
  expect(closed).toBe(1);
});

it('waits at the end of a session for no server of an agent in the background, and leaves none behind', async () => {
  let closed = 0;
  const asked = gate<void>();
  const extras = { tools: [], ports: {}, notes: [], close: async () => void closed++ };
  const { agent, agents, bodies } = await bench(() => [task('SUB', { subagent_type: 'slow', run_in_background: true })], {
    extra: [{ name: 'slow', description: 'x', prompt: 'y', mcpServers: { names: [], own: {} } }],
    servers: (_type, signal) => {
      asked.resolve();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(extras), { once: true }));
    },
  });
  const running = drain(agent.run('go'));
  await asked.promise;
  await agents.dispose();
  expect(closed).toBe(1);
  await agent.interrupt('over');
  await running;
  expect(bodies.filter((body) => isSub(body, 'SUB'))).toEqual([]);
});
