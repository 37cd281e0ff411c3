/** Servers that connect, vanish, change and answer in any order, at random moments: the prefix never moves, and every difference is told once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deferredToolsDelta } from '../attachments/kinds/deferred-tools-delta.js';
import { mcpInstructionsDelta } from '../attachments/kinds/mcp-instructions-delta.js';
import type { McpServer, Ports, Source, ToolGroup } from '../attachments/ports.js';
import { answer, call, FakeClock, LawChecker, MemoryStore, say, testPorts } from '../testing/index.js';
import { openSession } from './open-session.js';
import type { Session, Step } from './session.js';

type Server = { state: McpServer['state']; tools: string[]; instructions: string };

const NAMES = ['ant', 'bee', 'cat'] as const;
const MOVES = [
  'connect',
  'lose',
  'remove',
  'change',
  'reorder',
  'speak',
  'prompt',
  'prompt',
  'calls',
  'compact',
  'resume',
  'fork',
  'rewind',
] as const;

/** What a thread was told in its window, read from the words themselves. */
type Told = { readonly tools: Set<string>; readonly instructions: Map<string, string> };

class World {
  readonly store = new MemoryStore();
  readonly laws = new LawChecker();
  readonly servers = new Map<string, Server>();
  #order: readonly string[] = NAMES;
  session!: Session;
  readonly #clock = new FakeClock();

  reorder(dice: number): void {
    this.#order = [...this.#order.slice(dice % 3), ...this.#order.slice(0, dice % 3)];
  }

  async open(how: { readonly resume?: string; readonly fork?: boolean } = {}): Promise<void> {
    this.store.release();
    this.session = await openSession({
      model: 'claude-opus-5-5',
      tools: [{ name: 'ToolSearch', description: 'Finds tools.', input_schema: { type: 'object' } }],
      system: 'Be good.',
      store: this.store,
      kinds: [deferredToolsDelta, mcpInstructionsDelta],
      ports: { ...testPorts(this.#clock), ...this.#ports() },
      ...how,
    });
  }

  #ports(): Required<Pick<Ports, 'deferredTools' | 'mcp'>> {
    const each = <T>(one: (name: string, server: Server) => T): Source<readonly T[]> => ({
      read: () => ({
        type: 'ready',
        version: '',
        value: this.#order.flatMap((name) =>
          [this.servers.get(name)].flatMap((server) => (server === undefined ? [] : [one(name, server)])),
        ),
      }),
    });
    return {
      deferredTools: each((name, { state, tools }): ToolGroup => ({ name, tools: state === 'ready' ? tools : null })),
      mcp: each((name, { state, instructions }) => ({ name, state, instructions: state === 'ready' ? instructions : '' })),
    };
  }
}

/** The laws hold, and what the window says of every server that can be asked is what is true. */
function check(world: World, step: Step): void {
  world.laws.check(step, world.session.main);
  const told = toldIn(world.session);
  for (const name of NAMES) {
    const server = world.servers.get(name);
    const known = [...told.tools].filter((tool) => tool.startsWith(`mcp__${name}__`)).toSorted();
    if (server === undefined) {
      expect(known).toEqual([]);
      expect(told.instructions.has(name)).toBe(false);
    } else if (server.state === 'ready') {
      expect(known).toEqual(server.tools.toSorted());
      expect(told.instructions.get(name) ?? '').toBe(server.instructions);
    }
  }
}

function toldIn({ main }: Session): Told {
  const tools = new Set<string>();
  const instructions = new Map<string, string>();
  for (const record of main.transcript.window) {
    if (record.type !== 'attachment') continue;
    const text = record.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    if (record.kind === 'deferred_tools_delta') {
      for (const [, added = '', gone = ''] of text.matchAll(/^- \w+:((?: mcp__\w+,?)*);?(?: gone: (.*))?$/gm)) {
        for (const [tool] of gone.matchAll(/mcp__\w+/g)) expect(tools.delete(tool), `${tool} is told as gone once`).toBe(true);
        for (const [tool] of added.matchAll(/mcp__\w+/g)) {
          expect(tools.has(tool), `${tool} is told once`).toBe(false);
          tools.add(tool);
        }
      }
    } else {
      for (const name of /is void: (.*)\.$/m.exec(text)?.[1]?.split(', ') ?? [])
        expect(instructions.delete(name), `${name} is told once to have left`).toBe(true);
      for (const [, name = '', words = ''] of text.matchAll(/^## (\w+)\n(.*)$/gm)) {
        expect(instructions.get(name), `the words of ${name} are told once`).not.toBe(words);
        instructions.set(name, words);
      }
    }
  }
  return { tools, instructions };
}

type Event = { readonly type: (typeof MOVES)[number]; readonly dice: number };

async function happen(world: World, { type, dice }: Event): Promise<void> {
  const name = NAMES[dice % NAMES.length] ?? 'ant';
  const server = world.servers.get(name);
  const thread = world.session.main;
  const tools = Array.from({ length: (dice >> 2) % 4 }, (_, n) => `mcp__${name}__t${(dice + n) % 5}`);
  switch (type) {
    case 'connect':
      world.servers.set(
        name,
        server === undefined ? { state: 'ready', tools, instructions: `words ${dice % 4}` } : { ...server, state: 'ready' },
      );
      return;
    case 'lose':
      if (server !== undefined) server.state = dice % 2 === 0 ? 'failed' : 'connecting';
      return;
    case 'remove':
      world.servers.delete(name);
      return;
    case 'change':
      if (server !== undefined) server.tools = tools;
      return;
    case 'speak':
      if (server !== undefined) server.instructions = dice % 3 === 0 ? '' : `words ${dice % 5}`;
      return;
    case 'reorder':
      return world.reorder(dice);
    case 'prompt':
      check(world, await thread.prompt(`words ${dice}`));
      await thread.response(answer([say('done')]));
      return;
    case 'calls': {
      check(world, await thread.prompt('work'));
      const calls = await thread.response(answer([call('ToolSearch', {})]));
      if (dice % 2 === 0) world.servers.delete(name);
      for (const { id } of calls) await thread.result(id, 'found');
      check(world, await thread.next());
      await thread.response(answer([say('done')]));
      return;
    }
    case 'compact':
      if (thread.transcript.head !== null) await thread.compact([{ type: 'text', text: 'summary' }], null);
      return;
    case 'resume':
    case 'fork':
      if (thread.transcript.head === null) return;
      await world.session.close();
      return world.open({ resume: world.session.id, fork: type === 'fork' });
    case 'rewind': {
      const ends = thread.transcript.window.filter((record) => record.type === 'assistant' && record.message.stop_reason === 'end_turn');
      const to = ends[dice % Math.max(1, ends.length)];
      if (to !== undefined) await thread.rewind(to.id);
    }
  }
}

const events = fc.array(fc.record({ type: fc.constantFrom(...MOVES), dice: fc.nat(1000) }), { maxLength: 80, size: 'max' });

test('law 2, and each delta once per window, with servers that do as they please', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(events, async (sequence) => {
      const world = new World();
      await world.open();
      for (const event of sequence) await happen(world, event);
      check(world, await world.session.main.prompt('Last words.'));
    }),
    { numRuns: Number(process.env['SIDENOTE_RANDOM_RUNS'] ?? 60) },
  );
});
