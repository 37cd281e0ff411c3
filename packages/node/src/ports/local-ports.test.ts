import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rememberProject } from '../settings/state-file.js';
import { explainInstructions } from '../instructions/explain.js';
import { estimateTokens } from './estimate-tokens.js';
import { localInstructions, localPorts } from './local-ports.js';

let root: string;
let cwd: string;
let home: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ports-')));
  [cwd, home] = [join(root, 'work'), join(root, 'home')];
  mkdirSync(cwd);
  mkdirSync(home);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const { signal } = new AbortController();
const ports = () => localPorts({ cwd, home, env: { PATH: process.env['PATH'], HOME: home } });
const instructions = async () => {
  const reading = await ports().instructions.read(signal);
  return reading.type === 'ready' ? reading.value : [];
};

test('the ports tell of the working directory, and write nothing', async () => {
  execFileSync('git', ['init', '-q', '-b', 'branch-kilo', cwd]);
  writeFileSync(join(cwd, 'AGENTS.md'), 'Use tabs.\n');
  const { git, mentions, ids, digest } = ports();
  expect(await git.read(signal)).toMatchObject({ value: { text: expect.stringContaining('Current branch: branch-kilo') } });
  expect((await instructions()).map(({ text }) => text.trim())).toContain('Use tabs.');
  expect(mentions.find('see @AGENTS.md').map(({ path }) => path)).toEqual(['AGENTS.md']);
  expect(ids.next()).not.toBe(ids.next());
  expect(digest('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(readdirSync(home)).toEqual([]);
});

test('imports from outside wait for the answer stored for the project', async () => {
  writeFileSync(join(root, 'outside.md'), 'Outside.\n');
  writeFileSync(join(cwd, 'AGENTS.md'), 'Inside.\n@../outside.md\n');
  const told = async () =>
    (await instructions())
      .filter(({ status }) => status === 'loaded')
      .map(({ text }) => text)
      .join();
  expect(await told()).not.toContain('Outside.');
  await rememberProject({ cwd, configDir: join(home, '.sidenote'), answers: { externalImports: 'approved' } });
  expect(await told()).toContain('Outside.');
});

test('the same options explain what the ports tell', async () => {
  writeFileSync(join(cwd, 'AGENTS.md'), 'Inside.\n');
  const options = { cwd, home, env: { HOME: home }, instructions: { bare: true, managed: { folders: [] } } };
  const reading = await localPorts(options).instructions.read(signal);
  expect(reading.type === 'ready' && reading.value).toEqual([]);
  expect(await explainInstructions(localInstructions(options))).toMatchObject([{ path: join(cwd, 'AGENTS.md'), status: 'off' }]);
});

test('tokens are whole, none for nothing, and cost no time on any text', () => {
  const tokens = (text: string) => estimateTokens([{ type: 'text', text }]);
  expect(estimateTokens([])).toBe(0);
  expect(tokens('')).toBe(0);
  expect(tokens('a')).toBeGreaterThan(0);
  expect(tokens('const answer = compute(42);\n'.repeat(100))).toBeGreaterThan(600);
  expect(tokens('漢字'.repeat(1000))).toBeGreaterThan(1500);
  expect(estimateTokens([{ type: 'image', source: { type: 'base64' } }])).toBe(1568);
  const long = tokens('some words of a text '.repeat(500_000));
  expect(long / 500_000).toBeCloseTo(tokens('some words of a text '.repeat(1000)) / 1000, 0);
  expect(Number.isInteger(long)).toBe(true);
});

test('digits and symbols take tokens of their own: models cut numbers, and see an arrow or a line of a box as bytes', () => {
  const tokens = (text: string) => estimateTokens([{ type: 'text', text }]);
  expect(tokens('123456789012')).toBeGreaterThan(tokens('1') + 2);
  expect(tokens('ok→go '.repeat(100))).toBeGreaterThan(tokens('okgo '.repeat(100)) + 100);
  expect(tokens('│ \u{e0b0} ✓'.repeat(100))).toBeGreaterThan(400);
  expect(tokens('日本語の文'.repeat(100))).toBeLessThan(700);
});
