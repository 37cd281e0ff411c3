import type { Standing } from '@sidenote/engine';
import { expect, it } from 'vitest';
import { compactionText, startedText } from './compaction-text.js';

const standing = (name: string, comes: Standing['comes']): Standing => ({ type: 'attachment', name, tokens: 1, comes });
const survives = [
  standing('system prompt and tools', 'stays'),
  standing('project instructions: 2 files', 'again'),
  standing('date 2031-03-01', 'again'),
  standing('rules of /w/src', 'when-touched'),
];

it('names what is kept before, and counts it after', () => {
  expect(startedText({ type: 'compaction-started', trigger: 'manual', tokens: 150_000, survives })).toBe(
    'As asked: summarising the conversation (about 150,000 tokens). Not lost: project instructions: 2 files; date 2031-03-01. Told again when touched: rules of /w/src.',
  );
  const result = { trigger: 'manual', outcome: 'summarised', before: 150_000, after: 9_000, kept: 3, survives } as const;
  const usage = { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  expect(compactionText({ ...result, usage, usd: 0 })).toBe(
    'Compacted: about 150,000 tokens became 9,000. The newest 3 messages stay as they are. Told again: 2 with the next message, 1 when touched.',
  );
});
