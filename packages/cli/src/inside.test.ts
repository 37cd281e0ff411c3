import { expect, it } from 'vitest';
import { inside } from './inside.js';

it.each([
  ['read /app/src/a.ts and /app/b.ts', '/app', 'read src/a.ts and b.ts'],
  ['Edit(//app/src/**), Read(/app/x)', '/app', 'Edit(src/**), Read(x)'],
  ['/srv/app/a.ts is elsewhere, and so is ./app/a.ts', '/app', '/srv/app/a.ts is elsewhere, and so is ./app/a.ts'],
  ['/appendix/a.ts', '/app', '/appendix/a.ts'],
  ['/etc/hosts', '/', '/etc/hosts'],
  ['"/w-(1)+[x]^$.{2}|\\/a.ts"', '/w-(1)+[x]^$.{2}|\\', '"a.ts"'],
])('%s in %s', (text, cwd, shown) => {
  expect(inside(text, cwd)).toBe(shown);
});
