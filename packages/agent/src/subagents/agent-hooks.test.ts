import { bare, call, say } from '@sidenote/engine/testing';
import type { HookCall } from '@sidenote/node';
import { expect, it } from 'vitest';
import { drain } from '../loop/agent.testing.js';
import { adds, recordedHooks } from '../loop/hooks.testing.js';
import type { Hooks } from '../loop/hooks.js';
import { bench, done, isSub } from './subagents.testing.js';

it('an agent has a start and an end of its own, hooks that know who it is, and no prompt of a person', async () => {
  const seen: { readonly agent: string; readonly call: HookCall }[] = [];
  const { hooks } = recordedHooks({
    SubagentStart: () => adds('SubagentStart', 'MARK-START'),
    SubagentStop: ({ fields }) => (fields['stop_hook_active'] === true ? undefined : adds('SubagentStop', 'MARK-MORE')),
  });
  const boundTo = (agent: string): Hooks => ({
    run: (call, how) => {
      seen.push({ agent, call });
      return hooks.run(call, how);
    },
    post: (call) => hooks.post(call),
    forAgent: ({ type }) => boundTo(type),
  });
  const { agent, bodies } = await bench(
    (body) => {
      if (isSub(body, 'SUB')) return body.messages.length === 1 ? [say('first')] : [say('second')];
      return body.messages.length === 1 ? [call('Agent', { description: 'x', prompt: 'SUB go', subagent_type: 'Explore' })] : done;
    },
    { hooks: () => boundTo('main') },
  );
  await drain(agent.run('go'));
  expect(seen.map(({ agent: who, call: { event, subject } }) => [who, event, subject])).toEqual([
    ['Explore', 'SubagentStart', 'Explore'],
    ['Explore', 'SubagentStop', undefined],
    ['Explore', 'SubagentStop', undefined],
  ]);
  const own = bodies.filter((body) => isSub(body, 'SUB'));
  expect(own.map((body) => bare(body).split('MARK-START').length - 1)).toEqual([1, 1]);
  expect(own.map((body) => bare(body).split('MARK-MORE').length - 1)).toEqual([0, 1]);
  expect(bare(bodies.at(-1))).toContain('second');
});
