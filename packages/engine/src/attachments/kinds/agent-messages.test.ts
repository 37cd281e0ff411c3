import { expect, test } from 'vitest';
import { agentPendingMessages } from './agent-pending-messages.js';
import { criticalSystemReminder } from './critical-system-reminder.js';
import { ask, source } from './kind.testing.js';
import { teamContext } from './team-context.js';
import { teammateMailbox } from './teammate-mailbox.js';

const message = (id: string, words: string) => ({ id, from: 'main', text: words, at: '2031-03-01T10:00:00.000Z' });

test('a message to a running agent comes once on the chain', async () => {
  const first = await ask(agentPendingMessages, { ports: { messages: source([message('m1', 'Stop at ten.\n')]) } });
  expect(first.text).toBe('Message from main, sent while you work:\nStop at ten.');
  expect(first.record).toMatchObject({ trust: 'third-party', title: 'message from main: Stop at ten.' });
  const ports = { messages: source([message('m1', 'Stop at ten.'), message('m2', 'Or at nine.')]) };
  expect((await ask(agentPendingMessages, { records: first.records, ports })).record?.data).toEqual({ ids: ['m2'] });
  expect(agentPendingMessages.told.scope).toBe('chain');
});

test('mail is marked as read with the ids that were told', async () => {
  const read: string[] = [];
  const mailbox = { ...source([message('m1', 'Done.')]), markRead: async (ids: readonly string[]) => void read.push(...ids) };
  const first = await ask(teammateMailbox, { ports: { mailbox } });
  expect(first.text).toBe('Messages from teammates (other agents, not the user):\n\nFrom main, 2031-03-01T10:00:00.000Z:\nDone.');
  await teammateMailbox.appended?.(first.record?.data ?? null, { mailbox });
  expect(read).toEqual(['m1']);
  expect((await ask(teammateMailbox, { records: first.records, ports: { mailbox } })).type).toBe('nothing');
});

test('a flood of mail is cut with a word, and comes in parts', async () => {
  const many = Array.from({ length: 30 }, (_, n) => message(`m${n}`, 'line\n'.repeat(1_000)));
  const told = await ask(teammateMailbox, { ports: { mailbox: { ...source(many), markRead: async () => {} } }, tokens: 1_000 });
  expect(told.text.length).toBeLessThan(4_000);
  expect(told.cut).toBe('the text of 3 of 3 messages');
});

test('a critical reminder comes every time, and a long one is an error', async () => {
  const first = await ask(criticalSystemReminder, { ports: { criticalReminder: source(' Never push. ') } });
  expect(first.text).toBe('Never push.');
  expect((await ask(criticalSystemReminder, { records: first.records, ports: { criticalReminder: source('Never push.') } })).type).toBe(
    'new',
  );
  expect((await ask(criticalSystemReminder, { ports: { criticalReminder: source(' ') } })).type).toBe('nothing');
  await expect(ask(criticalSystemReminder, { ports: { criticalReminder: source('x'.repeat(601)) } })).rejects.toThrow('600 characters');
});

test('the team, once per window', async () => {
  const members = [
    { name: 'lead', role: 'leads' },
    { name: 'ann', role: 'tests' },
  ];
  const ports = { team: source({ name: 'blue', self: 'ann', members }) };
  const first = await ask(teamContext, { ports });
  expect(first.text).toContain('You are ann in the team blue:\n- lead: leads\n- ann: tests (you)\n');
  expect((await ask(teamContext, { records: first.records, ports })).type).toBe('nothing');
});
