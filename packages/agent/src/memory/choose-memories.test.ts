import { expect, test } from 'vitest';
import type { Aside, MessagesBody, ModelAdapter } from '@sidenote/engine';
import { scriptedAdapter } from '../models/scripted.js';
import type { ScriptStep } from '../models/script.js';
import { chooseMemories } from './choose-memories.js';

const memories = [
  { name: 'deploy.md', title: 'how releases go out' },
  { name: 'a b.md', title: 'coffee' },
];
const { signal } = new AbortController();

function asking(step: ScriptStep) {
  const sent: MessagesBody[] = [];
  const scripted = scriptedAdapter([step]);
  const adapter: ModelAdapter = {
    profile: scripted.profile,
    stream: (plan, body, stop) => {
      sent.push(body);
      return scripted.stream(plan, body, stop);
    },
  };
  const took: Aside[] = [];
  return { sent, took, chooser: chooseMemories({ model: 'small', adapter: () => adapter, spent: (aside) => void took.push(aside) }) };
}
const says = (text: string) => asking({ content: [{ type: 'text', text }] });

test('one short request, and the names that stand in the answer, however they are set', async () => {
  const { sent, took, chooser } = says('- `a b.md`\n* deploy.md: releases\nother.md\na b.md\n');
  expect(await chooser.choose({ prompt: 'Deploy!', memories }, signal)).toEqual(['a b.md', 'deploy.md']);
  expect(JSON.stringify(sent)).toContain('- deploy.md: how releases go out');
  expect(took).toMatchObject([{ model: expect.any(String), usage: { output_tokens: expect.any(Number) } }]);
  expect(await says('NONE').chooser.choose({ prompt: 'x', memories }, signal)).toEqual([]);
});

test('a long prompt is sent in part', async () => {
  const { sent, chooser } = says('NONE');
  await chooser.choose({ prompt: '😀'.repeat(100_000), memories }, signal);
  expect(JSON.stringify(sent).length).toBeLessThan(8000);
});

test('it rejects when the model fails or can’t be had', async () => {
  const failing = asking({ content: [], error: { status: 400, type: 'invalid_request_error', message: 'no' } });
  await expect(failing.chooser.choose({ prompt: 'x', memories }, signal)).rejects.toThrow('no');
  const missing = chooseMemories({
    model: 'x',
    adapter: () => {
      throw new Error('there is no key');
    },
  });
  await expect(missing.choose({ prompt: 'x', memories }, signal)).rejects.toThrow('there is no key');
});
