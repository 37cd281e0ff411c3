/**
 * A program for tests: one agent session on real files, which says on its standard output what has just been acknowledged,
 * so that it can be killed at any moment.
 */
import { writeSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { openSession, type ModelAdapter } from '@sidenote/engine';
import { jsonlStore, localPorts } from '@sidenote/node';
import type { AgentEvent } from '../loop/events.js';
import { createAgent } from '../loop/create-agent.js';
import { scriptedAdapter } from '../models/scripted.js';
import type { Permissions } from '../permissions/contract.js';
import { createTasks } from '../tasks/tasks.js';
import { editTool } from '../tools/edit.js';
import { readTool } from '../tools/read.js';
import type { AnyTool } from '../tools/tool.js';
import { writeTool } from '../tools/write.js';
import { digestOfMessages, model, type Acknowledged } from './acknowledged.testing.js';

/** Where it works; on one line of its standard input. */
export type KillOrder = { readonly cwd: string; readonly home: string; readonly session: string };

const acknowledge = (what: Acknowledged) => writeSync(1, `${JSON.stringify(what)}\n`);

const everything: Permissions = {
  mode: 'bypassPermissions',
  judge: async () => ({ type: 'allow', why: 'a test' }),
  allow: () => undefined,
};

const calls = (...all: readonly (readonly [name: string, input: Readonly<Record<string, unknown>>])[]) => ({
  content: [{ type: 'thinking' as const, thinking: 'hm 🧊' }, ...all.map(([name, input]) => ({ type: 'tool_use' as const, name, input }))],
});
const says = (text: string) => ({ content: [{ type: 'text' as const, text }] });

const steps = [
  calls(['Read', { file_path: 'a.txt' }], ['Read', { file_path: 'b.txt' }], ['Read', { file_path: 'missing.txt' }]),
  calls(['Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE' }]),
  says('answer-1-end'),
  calls(['Write', { file_path: 'c.txt', content: `${'new\n'.repeat(2000)}` }], ['Read', { file_path: 'sub/d.txt' }]),
  says('answer-2-end'),
  calls(['Read', { file_path: 'c.txt' }]),
  says('answer-3-end'),
];

/** Says of every request that it left, before the model has it. */
function watched(adapter: ModelAdapter): ModelAdapter {
  return {
    profile: adapter.profile,
    stream(plan, body, signal) {
      acknowledge({ type: 'sent', request: plan.id, count: body.messages.length, digest: digestOfMessages(body.messages) });
      return adapter.stream(plan, body, signal);
    },
  };
}

function tell(event: AgentEvent): void {
  if (event.type === 'tool-ended') acknowledge({ type: 'result', call: event.call.id });
  if (event.type !== 'response-ended') return;
  for (const block of event.message.content)
    if ('text' in block && typeof block.text === 'string') acknowledge({ type: 'shown', text: block.text });
}

async function work({ cwd, home, session: id }: KillOrder): Promise<void> {
  const environment = { cwd, env: {}, outputDir: join(home, 'output'), tasks: createTasks({ folder: join(home, 'tasks') }), home };
  const tools: readonly AnyTool[] = [readTool(environment), editTool(environment), writeTool(environment)];
  const { git: _, ...ports } = localPorts({ cwd, home, env: {} });
  const session = await openSession({
    id,
    model,
    tools: tools.map(({ spec }) => spec),
    system: 'You work on files.',
    store: jsonlStore({ cwd, configDir: join(home, '.sidenote') }),
    ports,
  });
  const adapter = watched(scriptedAdapter(steps, { model }));
  const agent = createAgent({ session, adapter: () => adapter, tools, permissions: everything, clock: ports.clock });
  for (const turn of [1, 2, 3]) {
    for await (const event of agent.run(`prompt-${turn}-end, see @b.txt`)) {
      tell(event);
      if (event.type === 'tool-started' && turn === 2) {
        await agent.steer(`steered-${event.call.id}-end`);
        acknowledge({ type: 'shown', text: `steered-${event.call.id}-end` });
      }
    }
    await session.notify({ text: `notice-${turn}-end`, trust: 'client', wake: false });
    acknowledge({ type: 'shown', text: `notice-${turn}-end` });
  }
  acknowledge({ type: 'end' });
  await session.close();
}

acknowledge({ type: 'ready' });
const [line]: readonly unknown[] = await once(process.stdin, 'data');
await work(JSON.parse(String(line)) as KillOrder);
process.stdin.destroy();
