import { expect, test } from 'vitest';
import { dateChange } from './date-change.js';
import { ask } from './kind.testing.js';

const clockAt = (date: string) => ({
  clock: { now: () => 0, localDate: () => date, timeZone: () => 'Europe/Berlin', sleep: async () => undefined },
});

test('the date with its zone at first, once, and each new day once', async () => {
  const first = await ask(dateChange, { ports: clockAt('2031-03-01') });
  expect(first.text).toMatchInlineSnapshot(`"Today is 2031-03-01, Saturday; the time zone is Europe/Berlin."`);
  const again = await ask(dateChange, { records: first.records, ports: clockAt('2031-03-01') });
  expect(again.type).toBe('nothing');
  const next = await ask(dateChange, { records: first.records, ports: clockAt('2031-03-11') });
  expect(next.text).toMatchInlineSnapshot(`"The date is now 2031-03-11, Tuesday."`);
  expect([next.record?.data, next.record?.title, next.record?.reason]).toEqual([
    { date: '2031-03-11' },
    'date 2031-03-11',
    'the local day changed',
  ]);
  const after = await ask(dateChange, { records: [...first.records, ...next.records], ports: clockAt('2031-03-11') });
  expect(after.type).toBe('nothing');
});

test('a record that cannot be read does not count as told', async () => {
  const first = await ask(dateChange, { ports: clockAt('2031-03-01') });
  const broken = first.records.map((record) => ({ ...record, data: { day: 1 } }));
  expect((await ask(dateChange, { records: broken, ports: clockAt('2031-03-01') })).text).toContain('Today is 2031-03-01');
});
