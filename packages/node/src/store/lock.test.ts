import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionBusyError } from '@sidenote/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonlStore } from './jsonl-store.js';
import { projectFolder } from './project-folder.js';
import { buildStoreChild, startStoreChild, type StoreChild } from './start-child.testing.js';

let root: string;
let program: string;
let at: { cwd: string; configDir: string };
const children: StoreChild[] = [];
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lock-'));
  at = { cwd: root, configDir: join(root, 'config') };
  program = await buildStoreChild(join(root, 'program'));
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()));
  rmSync(root, { recursive: true, force: true });
});
const started = () => {
  const child = startStoreChild(program);
  children.push(child);
  return child;
};
const lockPath = (session: string) => join(projectFolder(at), `${session}.lock`);
const leaveLock = (session: string, content: string) => {
  mkdirSync(projectFolder(at), { recursive: true });
  writeFileSync(lockPath(session), content);
};
const left = { pid: 1, host: hostname(), startedAt: '2030-01-01T00:00:00.000Z', process: 'an earlier boot/1', nonce: 'n1' };

test('of two processes that open a session at the same moment one wins, whether the lock is free or left by a dead one', async () => {
  const [a, b] = [started(), started()];
  const outcomes: string[] = [];
  for (let round = 0; round < 100; round++) {
    const session = `race-${round}`;
    if (round % 3 === 1) leaveLock(session, JSON.stringify({ ...left, nonce: `n${round}` }));
    if (round % 3 === 2) leaveLock(session, '');
    for (const child of [a, b]) child.send({ type: 'open', ...at, session });
    outcomes.push([(await a.next()).type, (await b.next()).type].toSorted().join(' '));
    for (const child of [a, b]) child.send({ type: 'close' });
    expect([(await a.next()).type, (await b.next()).type]).toEqual(['closed', 'closed']);
  }
  expect(outcomes).toEqual(Array.from({ length: 100 }, () => 'busy opened'));
  expect(
    existsSync(at.configDir) ? readdirSync(at.configDir, { recursive: true }).filter((name) => String(name).includes('.lock')) : [],
  ).toEqual([]);
});

test('the lock of a killed process is taken over; that of a living one is not', async () => {
  const child = started();
  child.send({ type: 'open', ...at, session: 's1' });
  expect(await child.next()).toEqual({ type: 'opened' });
  const error = await jsonlStore(at)
    .open('s1', { write: true })
    .catch((error: unknown) => error);
  expect(SessionBusyError.isInstance(error) && error.owner).toMatchObject({ pid: child.pid, host: hostname() });
  await child.kill();
  expect(existsSync(lockPath('s1'))).toBe(true);
  const open = await jsonlStore(at).open('s1', { write: true });
  expect(JSON.parse(readFileSync(lockPath('s1'), 'utf8'))).toMatchObject({ pid: process.pid });
  await open.close();
  expect(existsSync(lockPath('s1'))).toBe(false);
});

test('a pid that was given to another process since is a dead owner', async () => {
  leaveLock('s2', JSON.stringify({ ...left, pid: process.pid }));
  await (await jsonlStore(at).open('s2', { write: true })).close();
});

test.each(['a pipe', 'a link to nothing'])('%s in the place of a lock holds nobody up', async (what) => {
  const session = `odd-${what.length}`;
  mkdirSync(projectFolder(at), { recursive: true });
  if (what === 'a pipe') execFileSync('mkfifo', [lockPath(session)]);
  else symlinkSync(join(root, 'nowhere'), lockPath(session));
  const opened = await jsonlStore(at).open(session, { write: true });
  expect(lstatSync(lockPath(session)).isFile()).toBe(true);
  await opened.close();
});

test('what another host holds is held: its processes can’t be seen from here', async () => {
  leaveLock('s3', JSON.stringify({ ...left, host: 'elsewhere.example' }));
  await expect(jsonlStore(at).open('s3', { write: true })).rejects.toThrow('elsewhere.example');
});

test('a taker that died in the middle of taking over blocks nobody', async () => {
  leaveLock('s4', JSON.stringify(left));
  writeFileSync(`${lockPath('s4')}.n1`, JSON.stringify({ ...left, nonce: 'n2' }));
  await (await jsonlStore(at).open('s4', { write: true })).close();
  expect(readdirSync(projectFolder(at)).filter((name) => name.startsWith('s4'))).toEqual([]);
});

test('a lock that someone else took since is not removed by closing', async () => {
  const open = await jsonlStore(at).open('s5', { write: true });
  const other = JSON.stringify({ ...left, host: 'elsewhere.example' });
  writeFileSync(lockPath('s5'), other);
  await open.close();
  expect(readFileSync(lockPath('s5'), 'utf8')).toBe(other);
});
