import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mailboxes } from './mailboxes.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'team-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;
const textsOf = async (box: ReturnType<ReturnType<typeof mailboxes>['inbox']>): Promise<readonly string[]> => {
  const reading = await box.read(signal);
  return reading.type === 'ready' ? reading.value.map(({ from, text }) => `${from}: ${text}`) : [];
};

it('keeps messages in order until they were read, for any process', async () => {
  const team = mailboxes({ folder });
  await team.send({ from: 'lead', to: 'ann', text: 'one' });
  await team.send({ from: 'bob', to: 'ann', text: 'two' });
  await team.send({ from: 'ann', to: 'bob', text: 'three' });
  const other = mailboxes({ folder }).inbox('ann');
  const found = (await textsOf(other)).toSorted();
  expect(found).toEqual(['bob: two', 'lead: one']);
  const reading = await other.read(signal);
  const ids = reading.type === 'ready' ? reading.value.map(({ id }) => id) : [];
  await other.markRead(ids.slice(0, 1));
  await other.markRead([...ids.slice(0, 1), '../../outside']);
  expect(await textsOf(team.inbox('ann'))).toHaveLength(1);
});

it('passes over what is no message, and says so once', async () => {
  const problems: string[] = [];
  const team = mailboxes({ folder, problem: (line) => problems.push(line) });
  const id = await team.send({ from: 'lead', to: 'ann', text: 'good' });
  const box = join(folder, 'inboxes/ann');
  await writeFile(join(box, 'notes.txt'), 'x');
  await writeFile(join(box, id.replace(/^\d+/, '0000000000000') + '.json'), '{"from": 1');
  await writeFile(join(box, `${id}.json.1.tmp`), 'half');
  expect(await textsOf(team.inbox('ann'))).toEqual(['lead: good']);
  expect(await textsOf(team.inbox('ann'))).toEqual(['lead: good']);
  expect(problems.map((line) => /\(.*\)/.exec(line)?.[0])).toEqual(['(no JSON)', '(its name is none of ours)']);
});

it('keeps any name inside its folder', async () => {
  await mailboxes({ folder }).send({ from: 'x', to: '../../../etc', text: 'y' });
  expect(await readdir(join(folder, 'inboxes'))).toEqual(['%2E%2E%2F%2E%2E%2F%2E%2E%2Fetc']);
});
