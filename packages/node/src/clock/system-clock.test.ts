import { getEventListeners } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from './system-clock.js';

const zone = process.env['TZ'];
afterEach(() => {
  vi.useRealTimers();
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  ['Pacific/Kiritimati', '2031-03-02T12:30:00Z', '2031-03-03'],
  ['America/Los_Angeles', '2031-03-02T02:30:00Z', '2031-03-01'],
  ['UTC', '2031-01-01T00:00:00Z', '2031-01-01'],
])('in %s it is at %s the day %s', (timeZone, now, day) => {
  process.env['TZ'] = timeZone;
  vi.useFakeTimers({ now: new Date(now) });
  const clock = systemClock();
  expect(clock.now()).toBe(Date.parse(now));
  expect(clock.localDate()).toBe(day);
  expect(clock.timeZone()).toBe(timeZone);
});

test.each([
  ['garbage', 'UTC'],
  ['', 'UTC'],
  ['UTC-3', 'UTC+03:00'],
  ['UTC+3', 'UTC-03:00'],
])('TZ=%j, which has no name, is called %s', (timeZone, name) => {
  process.env['TZ'] = timeZone;
  expect(systemClock().timeZone()).toBe(name);
});

test('a sleep lasts its time, also beyond the longest timer', async () => {
  vi.useFakeTimers();
  const { signal } = new AbortController();
  for (const ms of [1, 1000, 2 ** 31 + 5]) {
    let over = false;
    const sleep = systemClock()
      .sleep(ms, signal)
      .then(() => (over = true));
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await sleep;
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an aborted sleep is over at once, and holds no timer', async () => {
  vi.useFakeTimers();
  const stop = new AbortController();
  const sleep = systemClock().sleep(60_000, stop.signal);
  expect(vi.getTimerCount()).toBe(1);
  stop.abort();
  await sleep;
  expect(vi.getTimerCount()).toBe(0);
  await systemClock().sleep(60_000, stop.signal);
  await systemClock().sleep(0, new AbortController().signal);
});
