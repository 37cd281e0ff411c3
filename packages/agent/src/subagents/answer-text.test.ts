import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fitAnswer } from './answer-text.js';

it('shows the start of an answer that is one long line, and keeps all of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'answer-'));
  try {
    const answer = `FIRST-WORDS ${'x'.repeat(40_000)}`;
    const file = join(folder, 'answer.txt');
    const shown = await fitAnswer(answer, file);
    expect(shown.length).toBeGreaterThan(29_000);
    expect(shown).toContain('FIRST-WORDS');
    expect(shown).toContain(file);
    expect(await readFile(file, 'utf8')).toBe(answer);
  } finally {
    await rm(folder, { recursive: true });
  }
});
