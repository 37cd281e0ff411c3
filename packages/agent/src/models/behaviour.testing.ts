/** What every adapter must do, whatever it speaks: one list of tests, run against each of them. */
import type { MessagesBody, ModelAdapter, ModelEvent, RequestPlan } from '@sidenote/engine';
import { afterEach, describe, expect, it } from 'vitest';
import { withRetries } from './retry.js';
import type { RetryEvent } from './retry.js';

/** An answer to be given, in no one's format. */
export type Answer = {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
  readonly read?: number;
};
/** How it is given. */
export type Turn =
  | { readonly type: 'answer'; readonly answer: Answer; readonly bytes?: number }
  | { readonly type: 'error'; readonly status: number; readonly kind: string; readonly message: string; readonly afterMs?: number }
  /** Breaks off after this share of the answer, 0 to 1. */
  | { readonly type: 'cut'; readonly answer: Answer; readonly at: number }
  /** Stays open without another byte after this share. */
  | { readonly type: 'hang'; readonly answer: Answer; readonly at: number }
  | { readonly type: 'nonsense'; readonly contentType: string; readonly text: string };

export type Setting = {
  readonly adapter: ModelAdapter;
  close(): Promise<void>;
};
export type Subject = {
  readonly name: string;
  /** Sets up an adapter whose provider gives these turns, one per request. */
  set(turns: readonly Turn[], idleMs: number): Promise<Setting>;
  /** Goes over a wire, so that bytes can be broken. */
  readonly wire: boolean;
};

export const plan: RequestPlan = {
  id: 'plan', prefix: 'prefix', head: 'head', sealed: 0, ancestor: null, previous: 'msg_0', moved: null, marks: [], owners: [], expected: { read: 0, write5m: 0, write1h: 0, fresh: 0 },
}; // prettier-ignore
export const body: MessagesBody = {
  model: 'claude-opus-5-5',
  system: [{ type: 'text', text: 'You test.' }],
  tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
};

const everything: Answer = {
  thinking: 'Let me see 🤔.',
  text: 'Grüße, 世界 🦉!',
  calls: [
    { name: 'Read', input: { file_path: '/a 🦉' } },
    { name: 'Read', input: { file_path: '/b' } },
  ],
  read: 90,
};

export async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Text and calls of the last event, and how it ended. */
function ending(events: readonly (ModelEvent | RetryEvent)[]) {
  const last = events.at(-1);
  if (last?.type === 'response-failed') return { failed: last.failure.type, complete: last.complete };
  return last?.type === 'response-ended' ? { ended: last.message } : { last };
}
const field = (block: object, key: string): unknown => Object.entries(block).find(([name]) => name === key)?.[1];
const streamed = (events: readonly (ModelEvent | RetryEvent)[], type: string) =>
  events.flatMap((event) => (event.type === type && 'text' in event ? [event.text] : [])).join('');

/** Registers the list for one adapter. */
export function describeAdapter(subject: Subject): void {
  describe(subject.name, () => {
    let open: Setting[] = [];
    afterEach(async () => {
      await Promise.all(open.map((setting) => setting.close()));
      open = [];
    });
    const set = async (turns: readonly Turn[], idleMs = 20_000) => {
      const setting = await subject.set(turns, idleMs);
      open.push(setting);
      return setting;
    };
    const ask = async (turns: readonly Turn[], idleMs?: number, signal = new AbortController().signal) =>
      collect((await set(turns, idleMs)).adapter.stream(plan, body, signal));
    const retried = async (turns: readonly Turn[]) => {
      const slept: number[] = [];
      const clock = { sleep: async (ms: number) => void slept.push(ms) };
      const { adapter } = await set(turns);
      const events = await collect(withRetries({ adapter, plan, body, signal: new AbortController().signal, clock, random: () => 1 }));
      return { events, slept };
    };

    it('gives text, thinking, parallel calls and usage', async () => {
      const events = await ask([{ type: 'answer', answer: everything }]);
      expect(events[0]?.type).toBe('response-started');
      expect(streamed(events, 'text-delta')).toBe(everything.text);
      expect(streamed(events, 'thinking-delta')).toBe(everything.thinking);
      const { ended } = ending(events);
      expect(ended?.model).toBe(body.model);
      expect(ended?.stop_reason).toBe('tool_use');
      expect(ended?.usage).toMatchObject({ input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 90 });
      const content = ended?.content ?? [];
      expect(content.map(({ type }) => type)).toEqual([expect.stringMatching(/^(thinking|reasoning)$/), 'text', 'tool_use', 'tool_use']);
      expect(field(content[1] ?? {}, 'text')).toBe(everything.text);
      expect(content.slice(2).map((block) => [field(block, 'name'), field(block, 'input')])).toEqual(
        everything.calls?.map(({ name, input }) => [name, input]),
      );
      expect(new Set(content.slice(2).map((block) => field(block, 'id'))).size).toBe(2);
    });

    it('ends a plain answer with end_turn', async () => {
      expect(ending(await ask([{ type: 'answer', answer: { text: 'hi' } }])).ended?.stop_reason).toBe('end_turn');
    });

    it('tries again after 529, and then succeeds', async () => {
      const busy: Turn = { type: 'error', status: 529, kind: 'overloaded_error', message: 'Overloaded' };
      const { events, slept } = await retried([busy, busy, { type: 'answer', answer: { text: 'hi' } }]);
      expect(ending(events).ended?.stop_reason).toBe('end_turn');
      expect(slept).toEqual([500, 1000]);
      expect(events.filter(({ type }) => type === 'retry-scheduled')).toHaveLength(2);
      expect(events.some(({ type }) => type === 'response-dropped')).toBe(false);
    });

    it('waits as long as the server asks', async () => {
      const { slept } = await retried([
        { type: 'error', status: 429, kind: 'rate_limit_error', message: 'Slow down', afterMs: 7_000 },
        { type: 'answer', answer: { text: 'hi' } },
      ]);
      expect(slept).toEqual([7_000]);
    });

    it('says what kind of failure it is', async () => {
      const kinds: readonly (readonly [number, string, string, string])[] = [
        [400, 'invalid_request_error', 'prompt is too long: 3 tokens > 2 maximum', 'too-long'],
        [413, 'request_too_large', 'Too large', 'too-long'],
        [400, 'invalid_request_error', 'messages.1.content.0: Invalid `signature` in `thinking` block', 'signature-refused'],
        [400, 'invalid_request_error', "messages.3: role 'system' is not supported on this model", 'system-role-refused'],
        [400, 'invalid_request_error', 'You have reached your specified API usage limits.', 'fatal'],
        [400, 'invalid_request_error', 'bad', 'fatal'],
        [401, 'authentication_error', 'invalid x-api-key', 'fatal'],
        [404, 'not_found_error', 'model: nope', 'fatal'],
        [500, 'api_error', 'Internal', 'retry'],
        [503, 'api_error', 'Busy', 'retry'],
        [408, 'timeout_error', 'Slow', 'retry'],
      ];
      for (const [status, kind, message, expected] of kinds) {
        const events = await ask([{ type: 'error', status, kind, message }]);
        expect([status, message, ending(events).failed]).toEqual([status, message, expected]);
        const last = events.at(-1);
        expect(last?.type === 'response-failed' ? last.failure.message : '').toContain(message);
      }
    });

    it('a cut answer is a failure with what was complete, and the text is dropped before the next attempt', async () => {
      for (const at of [0.2, 0.5, 0.8, 0.97]) {
        const { failed, complete = [] } = ending(await ask([{ type: 'cut', answer: everything, at }]));
        expect(failed).toBe('cut');
        const whole = ending(await ask([{ type: 'answer', answer: everything }])).ended?.content ?? [];
        expect(complete.map(({ type }) => type)).toEqual(whole.slice(0, complete.length).map(({ type }) => type));
        expect(complete.map((block) => field(block, 'text'))).toEqual(whole.slice(0, complete.length).map((block) => field(block, 'text')));
      }
      const { events } = await retried([
        { type: 'cut', answer: everything, at: 0.9 },
        { type: 'answer', answer: { text: 'whole' } },
      ]);
      expect(events.map(({ type }) => type)).toContain('response-dropped');
      expect(ending(events).ended?.content).toEqual([{ type: 'text', text: 'whole' }]);
    });

    it('gives up on answers that always break', async () => {
      const { events, slept } = await retried([{ type: 'cut', answer: everything, at: 0.9 }]);
      expect(ending(events).failed).toBe('cut');
      expect(slept).toHaveLength(2);
    });

    it('does not begin when it is aborted before', async () => {
      const events = await ask([{ type: 'answer', answer: everything }], 20_000, AbortSignal.abort());
      expect(events).toEqual([{ type: 'response-failed', failure: { type: 'aborted', message: expect.any(String) }, complete: [] }]);
    });

    it('stops when it is aborted in the middle', async () => {
      const { adapter } = await set([{ type: 'hang', answer: everything, at: 0.9 }]);
      const controller = new AbortController();
      const events: ModelEvent[] = [];
      for await (const event of adapter.stream(plan, body, controller.signal)) {
        events.push(event);
        if (event.type === 'text-delta') controller.abort();
      }
      expect(ending(events).failed).toBe('aborted');
      expect(events.filter(({ type }) => type === 'response-failed')).toHaveLength(1);
    });

    if (!subject.wire) return;

    it('a silent server is told apart, before the first byte and after it', async () => {
      for (const at of [0, 0.5]) expect(ending(await ask([{ type: 'hang', answer: everything, at }], 150)).failed).toBe('silent');
    });

    it('names answers that are none', async () => {
      for (const [contentType, text, expected] of [
        ['text/html', '<html>Welcome</html>', 'fatal'],
        ['application/json', '{"ok":true}', 'fatal'],
        ['text/event-stream', '', 'cut'],
        ['text/event-stream', 'event: message_start\ndata: {"type": nonsense\n\n', 'cut'],
        ['text/event-stream', 'event: message_stop\ndata: {"type":"message_stop"}\n\n', 'cut'],
        ['text/event-stream', 'event: content_block_delta\ndata: [1, null]\n\n', 'cut'],
        ['text/event-stream', '\u0000\u0001 not a stream', 'cut'],
      ] as const) {
        const events = await ask([{ type: 'nonsense', contentType, text }]);
        expect([text, ending(events).failed]).toEqual([text, expected]);
      }
      expect(ending(await ask([{ type: 'answer', answer: {} }])).failed).toBe('cut');
    });

    it('an answer is the same however its bytes are torn', async () => {
      const whole = ending(await ask([{ type: 'answer', answer: everything }])).ended;
      for (const bytes of [1, 2, 3, 5, 64]) {
        const torn = ending(await ask([{ type: 'answer', answer: everything, bytes }])).ended;
        expect(torn?.content).toEqual(whole?.content);
      }
    });

    it('a server that can not be reached may be back later', async () => {
      const setting = await subject.set([{ type: 'answer', answer: everything }], 20_000);
      await setting.close();
      const events = await collect(setting.adapter.stream(plan, body, new AbortController().signal));
      expect(ending(events).failed).toBe('retry');
      expect(JSON.stringify(events.at(-1))).toContain('ECONNREFUSED');
    });
  });
}
