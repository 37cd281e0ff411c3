import { expect, it } from 'vitest';
import { stemOfWord, wordsOf } from './words.js';

it.each([
  ['readFile in src/parser.ts', ['read', 'file', 'src', 'parser', 'ts']],
  ['HTTPServer, snake_case, kebab-case, plugin:name', ['http', 'server', 'snake', 'case', 'kebab', 'case', 'plugin', 'name']],
  ['version 2.1 of it', ['version', '2.1']],
  ['ＰＯＳＴＧＲＥＳ', ['postgres']],
  ['what is this?', []],
])('%s', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it('parts what is written without spaces', () => {
  const words = wordsOf('数据库备份');
  expect(words.length).toBeGreaterThan(1);
  expect(words.join('')).toBe('数据库备份');
});

it.each([
  ['release', 'releases', 'released', 'releasing'],
  ['deploy', 'deploys', 'deployed', 'deploying', 'deployment', 'deployments'],
  ['note', 'notes', 'noted', 'noting'],
  ['log', 'logs', 'logged', 'logging'],
  ['class', 'classes'],
  ['box', 'boxes'],
])('%s is one word with its forms', (...forms) => {
  expect(new Set(forms.map(stemOfWord)).size).toBe(1);
});

it.each(['thing', 'need', 'bus', 'führt', '備份'])('%s stays', (word) => {
  expect(stemOfWord(word)).toBe(word);
});
