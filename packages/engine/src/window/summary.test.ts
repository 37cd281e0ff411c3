import { expect, test } from 'vitest';
import { openSession } from '../session/open-session.js';
import { answer, call, FakeClock, MemoryStore, say, testPorts } from '../testing/index.js';
import type { FileView } from '../transcript/records.js';
import { plainSummary } from './plain-summary.js';
import { summaryContent, summaryIn, summaryRequest } from './summary-words.js';

test('the request asks for what must not be lost, and carries wishes', () => {
  const plain = summaryRequest({ running: false });
  for (const part of [/goals/i, /word for word/, /decisions/i, /files/i, /open work/i, /no tool/]) expect(plain).toMatch(part);
  expect(plain).not.toContain('in particular');
  const asked = summaryRequest({ running: true, wishes: ['', ' ', 'keep test names'] });
  expect(asked).toMatch(/middle of a step/);
  expect(asked).toMatch(/in particular:\nkeep test names/);
});

test('a summary is what stands in its tags, or all of it; nothing is nothing', () => {
  expect(summaryIn('thinking aloud <summary>\nthe text\n</summary> bye')).toBe('the text');
  expect(summaryIn('<summary>cut off')).toBe('cut off');
  expect(summaryIn('# Goals')).toBe('# Goals');
  expect(summaryIn('<summary></summary>')).toBe('<summary></summary>');
  expect(summaryIn(' \n')).toBeUndefined();
});

test('words that are still worked on follow the summary, long ones cut', () => {
  const [first, second] = summaryContent('SUM', { words: [`do it ${'x'.repeat(30_000)}`] });
  expect(first).toMatchObject({ text: expect.stringMatching(/replaced by a summary[\s\S]*SUM$/) });
  expect(second).toMatchObject({ text: expect.stringMatching(/do it x+\n\[\d+ more characters/) });
});

test('a summary that would fill the window again is cut, and says so', () => {
  const text = (window?: number) => JSON.stringify(summaryContent('s'.repeat(900_000), window === undefined ? {} : { window }));
  expect(text(200_000)).toMatch(/s\\n\[830000 more characters of the summary are left out\]/);
  expect(text(32_000).length).toBeLessThan(21_000);
  expect(text(2_000_000).length).toBeLessThan(101_000);
  expect(text()).toBe(text(2_000_000));
});

const view = (path: string): FileView => ({ path, digest: 'd', size: 1, mtimeNs: '1', inode: '1', lines: 'all', form: 'raw' });

test('without a model: words, files and the newest answers, the same for the same record, inside its budget', async () => {
  const { main } = await openSession({
    model: 'claude-opus-5-5',
    tools: [{ name: 'Edit', description: 'Edits.', input_schema: { type: 'object' } }],
    system: 'You help.',
    store: new MemoryStore(),
    ports: testPorts(new FakeClock()),
    kinds: [],
  });
  await main.prompt('RULE: never push 🧊');
  await main.response(answer([say('I look.'), call('Edit', {}, 'A')]));
  await main.result('A', {
    content: [{ type: 'text', text: 'x'.repeat(9_000) }],
    effects: [
      { type: 'viewed', view: view('/read.ts') },
      { type: 'wrote', view: view('/changed.ts'), before: null },
    ],
  });
  await main.next();
  await main.response(answer([say(`LAST ${'y'.repeat(9_000)}`)]));
  const text = plainSummary(main.transcript.window);
  expect(text).toBe(plainSummary(main.transcript.window));
  expect(text).toMatch(
    /RULE: never push 🧊[\s\S]*Files that were changed\n- \/changed\.ts[\s\S]*- \/read\.ts[\s\S]*LAST y+ … \[\d+ more characters\]/,
  );
  expect(text).not.toContain('xxxx');
  expect(text.length).toBeLessThan(4_000);
  for (const budget of [0, 10, 500, 2_000]) expect(plainSummary(main.transcript.window, budget).length).toBeLessThan(budget * 1.5 + 600);
});
