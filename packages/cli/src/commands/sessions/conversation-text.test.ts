import type { ChainRecord } from '@sidenote/engine';
import { expect, it } from 'vitest';
import { conversationText } from './conversation-text.js';

const result = (text: string) =>
  ({ type: 'tool_result', id: 'r', parent: null, call: 'c', isError: false, content: [{ type: 'text', text }] }) as unknown as ChainRecord;

it('puts a result into a fence that nothing in it closes, however many it holds', () => {
  const fences = '``` \n````\n'.repeat(300_000);
  const text = conversationText([result(fences)], { cwd: '/w', injected: false });
  expect(text.startsWith('### A tool\n\n`````\n``` \n')).toBe(true);
  expect(text.endsWith('\n`````')).toBe(true);
});
