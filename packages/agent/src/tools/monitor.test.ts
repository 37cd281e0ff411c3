import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolOutcome } from '@sidenote/engine';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boundedNews } from '../tasks/bounded-news.js';
import { lineWatch } from '../tasks/line-watch.js';
import { monitorTool } from './monitor.js';
import { openBench, type Bench } from './tools.testing.js';

let bench: Bench;
let told: string[] = [];
beforeEach(() => {
  told = [];
  bench = openBench();
});
afterEach(async () => {
  await bench.environment.tasks.dispose();
  await bench.close();
});
const textOf = ({ content }: ToolOutcome): string => content.map((block) => (block.type === 'text' ? block.text : '')).join('');
const monitor = () => monitorTool({ ...bench.environment, notify: (text) => void told.push(text) });
const idOf = (outcome: ToolOutcome): string => /monitor-[0-9a-f]{8}/.exec(textOf(outcome))?.[0] ?? '';

describe('Monitor', () => {
  it('tells of lines that match while the command runs, and says what it watches', async () => {
    const go = join(bench.cwd, 'go');
    const command = `echo quiet; echo 'ERROR one'; while ! [ -e '${go}' ]; do sleep 0.02; done; printf 'fine\\nERROR two'`;
    const outcome = await bench.use(monitor(), { command, pattern: '^ERROR', description: 'the build' });
    const id = idOf(outcome);
    expect(outcome.effects).toEqual([{ type: 'task', value: { id, state: 'running' } }]);
    await vi.waitFor(() => expect(told).toEqual([`${id}: lines that match /^ERROR/:\nERROR one`]), 20_000);
    writeFileSync(go, '');
    await bench.environment.tasks.wait(id, { timeoutMs: 20_000 });
    expect(told.slice(1)).toEqual([`${id}: lines that match /^ERROR/:\nERROR two`]);
    expect(bench.environment.tasks.status(id)).toMatchObject({ type: 'monitor', state: 'done' });
  });

  it('endless matching output is few messages, and a stop ends it', async () => {
    const outcome = await bench.use(monitor(), { command: 'yes ERROR', pattern: 'ERROR' });
    const id = idOf(outcome);
    await vi.waitFor(() => expect(told.length).toBeGreaterThan(0), 20_000);
    await bench.environment.tasks.stop(id);
    expect(told.length).toBeLessThan(4);
    expect(told.join('').length).toBeLessThan(20_000);
  });

  it('a pattern that would never end is given up, and the command runs on', async () => {
    const mark = join(bench.cwd, 'over');
    const command = `echo ${'a'.repeat(60)}b; echo later; touch '${mark}'`;
    const outcome = await bench.use(monitor(), { command, pattern: '^(a+)+$' });
    await bench.environment.tasks.wait(idOf(outcome), { timeoutMs: 20_000 });
    expect(told.join('\n')).toContain('No longer watched: the pattern took more than 250 ms');
    expect(existsSync(mark)).toBe(true);
  });

  it('says what is wrong with a pattern', async () => {
    const outcome = await bench.use(monitor(), { command: 'true', pattern: '(' });
    expect([outcome.isError, textOf(outcome)]).toEqual([true, 'pattern is no regular expression: (']);
  });
});

describe('lineWatch', () => {
  it('puts lines together across parts, without colours, and cuts what has no end', () => {
    const watch = lineWatch('^ok .*');
    expect(watch?.add('\u001b[32mok\u001b[0m one\nno')).toEqual(['ok one']);
    expect(watch?.add('t ok\nok t')).toEqual([]);
    expect(watch?.add('wo\r\n')).toEqual(['ok two']);
    expect(watch?.add(`ok ${'x'.repeat(1_000_000)}`)).toEqual([]);
    expect(watch?.end()[0]?.length).toBe(2_000);
  });
});

describe('boundedNews', () => {
  it('says the first at once, what comes in the pause together, and no more than twenty times', () => {
    vi.useFakeTimers();
    try {
      const sent: string[] = [];
      const news = boundedNews((text) => sent.push(text));
      news.add(['one']);
      news.add(['two']);
      news.add(Array.from({ length: 30 }, (_, at) => `line ${at} ${'x'.repeat(600)}`));
      expect(sent).toEqual(['one']);
      vi.advanceTimersByTime(5_000);
      expect(sent).toHaveLength(2);
      expect(sent[1]).toMatch(/^two\nline 0 x+…\n[\s\S]*\n\(11 more lines\)$/);
      for (let count = 0; count < 60; count++) {
        news.add(['again']);
        vi.advanceTimersByTime(5_000);
      }
      expect(sent).toHaveLength(20);
      expect(sent.at(-1)).toBe('again\n(Further lines are not told: the output has them.)');
      news.end();
      expect(sent).toHaveLength(20);
    } finally {
      vi.useRealTimers();
    }
  });
});
