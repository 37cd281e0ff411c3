import { expect, it } from 'vitest';
import { joined } from './part.js';

it('ends every part, also behind one that fails, and says what failed', async () => {
  const ended: string[] = [];
  const part = (name: string, fails: boolean) => ({
    close: async () => {
      ended.push(name);
      if (fails) throw new Error(`${name} hangs`);
    },
  });
  await expect(joined([part('servers', true), part('agents', false)]).close()).rejects.toThrow('servers hangs');
  expect(ended).toEqual(['servers', 'agents']);
});
