import { expect, it } from 'vitest';
import { askUserQuestionTool } from '@sidenote/agent';
import { simple, stage } from './stage.testing.js';

const options = [{ label: 'lint', description: 'oxlint' }, { label: 'types' }, { label: '\u001b[2Jtests' }];
const one = { question: 'Which check?', header: 'Checks', options, isMultiple: false };
const never = () => new AbortController().signal;

it('takes one option by its key, and obeys no escape sequence', async () => {
  const { screen, clock, shows, hides, askQuestion } = stage(simple, { env: { NO_COLOR: '1' } });
  await shows('asks first');
  const answer = askQuestion(one, never());
  await shows('Checks: Which check?');
  expect(screen.text()).toContain('1 lint  oxlint');
  expect(screen.text()).toContain('4 something else');
  clock.advance(400);
  screen.type('2');
  clock.advance(100);
  expect(await answer).toEqual({ type: 'chosen', labels: ['types'] });
  await hides('Which check?');
});

it('an option is one line, whatever its label holds', async () => {
  const { screen, clock, shows, askQuestion } = stage(simple, { env: { NO_COLOR: '1' } });
  await shows('asks first');
  const label = 'keep\n 2 delete\r\n esc: yes';
  const answer = askQuestion({ ...one, header: 'A\nB', options: [{ label, description: 'x\ny' }, { label: 'other' }] }, never());
  await shows('A B: Which check?');
  expect(screen.text()).toContain('1 keep 2 delete esc: yes  x y');
  expect(screen.text()).toContain('2 other');
  clock.advance(400);
  screen.type('1');
  clock.advance(100);
  expect(await answer).toEqual({ type: 'chosen', labels: [label] });
});

it('takes several options, none, other words, and escape', async () => {
  const { screen, clock, shows, askQuestion } = stage(simple, { env: { NO_COLOR: '1' } });
  await shows('asks first');
  const press = async (key: string, shown: string) => {
    clock.advance(400);
    screen.type(key);
    clock.advance(100);
    await shows(shown);
  };
  const many = { ...one, isMultiple: true };
  const first = askQuestion(many, never());
  await shows('4 none of them');
  await press('1', '[x] lint');
  await press('3', '[x] tests');
  await press('2', '[x] types');
  await press('2', '[ ] types');
  await press('4', 'asks first');
  expect(await first).toEqual({ type: 'chosen', labels: ['lint', '\u001b[2Jtests'] });
  const second = askQuestion(many, never());
  await shows('4 none of them');
  await press('5', 'What is the answer?');
  screen.enter('all but lint');
  expect(await second).toEqual({ type: 'said', words: 'all but lint' });
  const third = askQuestion(one, never());
  await shows('1 lint');
  screen.type('\u001b');
  expect(await third).toEqual({ type: 'declined' });
});

it('gives the model the answers, and what was left open', async () => {
  const replies = [
    { type: 'chosen', labels: [] } as const,
    { type: 'said', words: 'all but lint' } as const,
    { type: 'declined' } as const,
  ];
  const tool = askUserQuestionTool({ askQuestion: async () => replies.shift() ?? { type: 'declined' } });
  const context = { signal: never(), isChanged: false, denied: () => {} };
  const wordy = tool.parse({ questions: [one, { ...one, question: 'w'.repeat(3_000_000) }] });
  expect(wordy).toMatchObject({ ok: false, message: expect.stringMatching(/at most 8,000 characters: w{400}$/) });
  const asked = tool.parse({ questions: [one, { ...one, question: 'And then?' }] });
  if (!asked.ok) throw new Error(asked.message);
  const text = async () => (await tool.run(asked.input, { ...context } as never)).content[0];
  expect(await text()).toEqual({ type: 'text', text: 'The answers:\nWhich check? none of the options\nAnd then? all but lint' });
  expect(await text()).toEqual({ type: 'text', text: 'Which check? the person did not answer.' });
});
