import { expect, it } from 'vitest';
import { hasMore } from './turns.js';

type Asked = Parameters<typeof hasMore>[0];

it('has more while an agent of the background runs, and until the model was told of its end', () => {
  const more = (background: boolean, runsInBackground: boolean, wakes: readonly boolean[]) =>
    hasMore({
      agents: { list: () => [{ background }], runsInBackground },
      session: { pending: wakes.map((wake) => ({ wake })) },
    } as unknown as Asked);
  expect(more(true, true, [])).toBe(true);
  expect(more(true, false, [true])).toBe(true);
  expect(more(true, false, [false])).toBe(false);
  // A command that ended is told with the next prompt, in a later run too.
  expect(more(false, false, [true])).toBe(false);
  expect(hasMore({ agents: undefined, session: { pending: [] } } as unknown as Asked)).toBe(false);
});
