import type { ModelAdapter, ModelEvent } from '@sidenote/engine';
import { profileOf } from '@sidenote/engine';
import { FakeClock } from '@sidenote/engine/testing';
import { describe, expect, it } from 'vitest';
import { body, collect, plan } from './behaviour.testing.js';
import { failureOf, retryAfter } from './failure.js';
import { withRetries } from './retry.js';
import type { RetryOptions } from './retry.js';
import { unreadableInput, readToolInput } from './tool-input.js';

/** Fails the same way, again and again. */
function failing(failure: Extract<ModelEvent, { type: 'response-failed' }>['failure']) {
  let calls = 0;
  const adapter: ModelAdapter = {
    profile: profileOf('scripted'),
    async *stream() {
      calls += 1;
      yield { type: 'response-failed', failure, complete: [] };
    },
  };
  return { adapter, calls: () => calls };
}
const busy = { type: 'retry', status: 529, message: 'Overloaded', afterMs: null } as const;

async function waits(adapter: ModelAdapter, options: Partial<RetryOptions> = {}) {
  const slept: number[] = [];
  const clock = { sleep: async (ms: number) => void slept.push(ms) };
  const events = await collect(
    withRetries({ adapter, plan, body, signal: new AbortController().signal, clock, random: () => 1, ...options }),
  );
  return { slept, last: events.at(-1), events };
}

describe('retries', () => {
  it('back off to a limit, ten attempts in all', async () => {
    const { adapter, calls } = failing(busy);
    const { slept, last } = await waits(adapter);
    expect(slept).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(calls()).toBe(10);
    expect(last).toMatchObject({ type: 'response-failed', failure: busy });
  });

  it('vary by chance, between half and the whole', async () => {
    expect((await waits(failing(busy).adapter, { attempts: 2, random: () => 0 })).slept).toEqual([250]);
  });

  it('do not wait longer than makes sense', async () => {
    const tooLong = await waits(failing({ ...busy, afterMs: 3_600_000 }).adapter);
    expect(tooLong.slept).toEqual([]);
    expect(tooLong.last).toMatchObject({ failure: { message: 'Overloaded (the server asks to wait 60 min: try again then)' } });
    expect((await waits(failing({ ...busy, afterMs: 0 }).adapter, { attempts: 2 })).slept).toEqual([0]);
  });

  it('are not made for what stays wrong', async () => {
    for (const type of ['too-long', 'signature-refused', 'system-role-refused', 'refused', 'aborted'] as const) {
      expect((await waits(failing({ type, message: 'x' }).adapter)).slept).toEqual([]);
    }
    expect((await waits(failing({ type: 'fatal', message: 'x', status: 401 }).adapter)).slept).toEqual([]);
  });

  it('end at once when someone interrupts the wait', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const { adapter, calls } = failing(busy);
    const events: string[] = [];
    for await (const event of withRetries({ adapter, plan, body, signal: controller.signal, clock: clock.port(), random: () => 0 })) {
      events.push(event.type === 'response-failed' ? event.failure.type : event.type);
      if (event.type === 'retry-scheduled') setImmediate(() => controller.abort());
    }
    expect(events).toEqual(['retry-scheduled', 'aborted']);
    expect(calls()).toBe(1);
    expect(clock.sleeping).toBe(0);
  });
});

it('reads what a server asks to wait', () => {
  const headers = (fields: Record<string, string>) => new Headers(fields);
  const now = Date.parse('2026-11-30T00:00:00Z');
  expect(retryAfter(headers({ 'retry-after-ms': '12', 'retry-after': '9' }), now)).toBe(12);
  expect(retryAfter(headers({ 'retry-after': '1.5' }), now)).toBe(1_500);
  expect(retryAfter(headers({ 'retry-after': 'Mon, 30 Nov 2026 00:00:03 GMT' }), now)).toBe(3_000);
  expect(retryAfter(headers({ 'retry-after': 'soon' }), now)).toBe(null);
  expect(retryAfter(undefined, now)).toBe(null);
});

it('says what a person can do', () => {
  const facts = { kind: null, message: 'no', server: 'http://here', keyVariable: 'THE_KEY' };
  expect(failureOf({ ...facts, status: 401 }, 0).message).toContain('THE_KEY');
  expect(failureOf({ ...facts, status: 404 }, 0).message).toContain('http://here');
  expect(failureOf({ ...facts, status: 429, kind: 'insufficient_quota' }, 0).type).toBe('fatal');
  expect(failureOf({ ...facts, status: 400, kind: 'context_length_exceeded' }, 0).type).toBe('too-long');
});

it('makes one line of what a server says, however much it is', () => {
  const facts = { kind: null, server: 'http://here', keyVariable: 'THE_KEY' };
  const { message } = failureOf({ ...facts, status: 401, message: `<html>\n  ${'word '.repeat(1_000)}` }, 0);
  expect(message.length).toBeLessThan(600);
  expect(message).toMatch(/^<html> word .*… Check the key in THE_KEY\.$/);
});

it('keeps inputs that are no object where a tool will refuse them', () => {
  expect(readToolInput('')).toEqual({});
  expect(readToolInput('{"a":1}')).toEqual({ a: 1 });
  for (const text of ['[1]', 'null', '{"a":', '"x"']) expect(unreadableInput(readToolInput(text))).toContain('valid JSON');
  expect(unreadableInput({ a: 1 })).toBe(null);
});
