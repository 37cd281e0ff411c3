import { expect, test } from 'vitest';
import { dateChange } from '../attachments/kinds/date-change.js';
import { answer, bare, call, FakeClock, LawChecker, MemoryStore, say, testPorts } from '../testing/index.js';
import { openSession } from './open-session.js';

const DAY = 86_400_000;

test('an aside in the middle of a turn leaves no trace in later requests, now or after a resume', async () => {
  const run = async (withAside: boolean) => {
    const clock = new FakeClock();
    const laws = new LawChecker();
    const options = {
      model: 'claude-opus-5-5',
      tools: [],
      system: 'You fix bugs.',
      store: new MemoryStore(),
      ports: testPorts(clock),
      kinds: [dateChange],
    };
    const session = await openSession(options);
    const thread = session.main;
    laws.check(await thread.prompt('One.'), thread);
    await thread.response(answer([call('Read', {}, 'A')]));
    await thread.result('A', 'text');
    if (withAside) expect(JSON.stringify((await thread.aside('Sum up.', 'side')).request)).toContain('Sum up.');
    clock.advance(DAY);
    const next = laws.check(await thread.next(), thread);
    await thread.response(answer([say('Done.')]));
    await session.close();
    const again = (await openSession({ ...options, resume: session.id })).main;
    const resumed = laws.check(await again.prompt('Two.'), again);
    expect(resumed.plan.sealed).toBe(next.request.messages.length);
    return [next, resumed].map(({ request }) => bare(request));
  };
  expect(await run(true)).toEqual(await run(false));
});
