import { expect, it } from 'vitest';
import { sessionList } from './text.js';

it('lists a session in one line, with the local time', () => {
  const changedAt = new Date(2026, 10, 30, 4, 7, 59).getTime();
  const entries = [{ id: '159d0a25-aaaa', changedAt, title: 'fix  the bug\tin split, which is a long story' }];
  expect(sessionList(entries, { width: 60, current: '159d0a25-aaaa' })).toBe(
    '*  1  159d0a25  2026-11-30 04:07  fix the bug in split, whi…',
  );
  expect(sessionList(entries, { width: 60 })).toMatch(/…\n\/resume <number> goes on with one$/);
  expect(sessionList(entries, { width: 60, numbered: false })).toBe('   159d0a25  2026-11-30 04:07  fix the bug in split, which …');
  expect(sessionList([], { width: 60 })).toBe('no sessions here yet');
});
