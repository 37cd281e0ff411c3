import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { body, collect, plan } from './behaviour.testing.js';
import { modelName, pickAdapter } from './pick.js';
import { readScript } from './script.js';
import { scriptedAdapter } from './scripted.js';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'sidenote-script-'));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const signal = new AbortController().signal;
const scriptOf = (value: unknown) => {
  const read = readScript(JSON.stringify(value), 'test.json');
  if (read.type === 'unusable') throw new Error(read.message);
  return read.script;
};

describe('a script', () => {
  it('may be an array of steps, blocks or arrays of blocks', () => {
    const text = { type: 'text', text: 'hi' };
    expect(
      scriptOf([text, [text], { content: [text], delay_ms: 5, stop_reason: 'max_tokens', cut: true, usage: { input_tokens: 7 } }]).steps,
    ).toEqual([
      { content: [text] },
      { content: [text] },
      { content: [text], delay_ms: 5, stop_reason: 'max_tokens', cut: 'end', usage: { input_tokens: 7 } },
    ]);
  });

  it('is refused with the place of what is wrong', () => {
    const cases: readonly (readonly [unknown, string])[] = [
      ['{', 'JSON'],
      [{}, 'steps: an array of steps is expected'],
      [[{ content: [{ type: 'text' }] }], 'steps[0].content[0].text: a text is expected'],
      [[[{ type: 'image' }]], 'steps[0][0].type: text, thinking or tool_use is expected'],
      [[{ contents: [] }], 'steps[0].contents: not known; a step has content,'],
      [[{ cut: 'x' }], 'steps[0].cut'],
      [[{ error: {} }], 'steps[0].error.status'],
      [{ steps: [], agents: [{}] }, 'agents[0].match'],
    ];
    for (const [value, expected] of cases) {
      const read = readScript(typeof value === 'string' ? value : JSON.stringify(value), 'my.json');
      expect(read.type === 'unusable' ? read.message : read).toContain(expected);
      expect(read.type === 'unusable' ? read.message : read).toContain('my.json');
    }
  });

  it('says "done" after its end, with ids that no other answer of the conversation has', async () => {
    const adapter = scriptedAdapter(
      scriptOf([
        [
          { type: 'tool_use', name: 'Read', input: {} },
          { type: 'tool_use', name: 'Read', input: {} },
        ],
      ]),
    );
    const [first, second] = [await collect(adapter.stream(plan, body, signal)), await collect(adapter.stream(plan, body, signal))];
    expect(first.at(-1)).toMatchObject({
      type: 'response-ended',
      message: { stop_reason: 'tool_use', content: [{ id: 'toolu_script_1_1_1' }, { id: 'toolu_script_1_1_2' }] },
    });
    expect(second.at(-1)).toMatchObject({ message: { content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn' } });
  });

  it('signs its thinking, streams whole characters and gives agents their own steps', async () => {
    const adapter = scriptedAdapter(
      scriptOf({
        steps: [{ type: 'thinking', thinking: '🦉🦉🦉🦉' }],
        agents: [{ match: 'go', steps: [{ type: 'text', text: 'agent' }] }],
      }),
    );
    const agent = await collect(adapter.stream(plan, body, signal));
    expect(agent.at(-1)).toMatchObject({ message: { content: [{ text: 'agent' }] } });
    const main = await collect(adapter.stream(plan, { ...body, messages: [] }, signal));
    expect(main.filter(({ type }) => type === 'thinking-delta')).toMatchObject([{ text: '🦉🦉' }, { text: '🦉🦉' }]);
    expect(main.at(-1)).toMatchObject({ message: { content: [{ type: 'thinking', signature: expect.stringContaining('scripted') }] } });
  });

  it('runs a command before it answers, and says when that failed', async () => {
    const adapter = scriptedAdapter(
      scriptOf([
        { content: [], shell: 'echo changed > file' },
        { content: [], shell: 'exit 3' },
      ]),
      { cwd },
    );
    await collect(adapter.stream(plan, body, signal));
    expect(await readFile(path.join(cwd, 'file'), 'utf8')).toBe('changed\n');
    expect((await collect(adapter.stream(plan, body, signal))).at(-1)).toMatchObject({
      type: 'response-failed',
      failure: { type: 'fatal' },
    });
  });

  it('waits on the clock, and not past an interruption', async () => {
    const slept: number[] = [];
    const clock = { sleep: async (ms: number) => void slept.push(ms) };
    await collect(scriptedAdapter(scriptOf([{ content: [], delay_ms: 4_000 }]), { clock }).stream(plan, body, signal));
    expect(slept).toEqual([4_000]);
    const controller = new AbortController();
    const events = collect(scriptedAdapter(scriptOf([{ content: [], delay_ms: 60_000 }])).stream(plan, body, controller.signal));
    controller.abort();
    expect((await events).at(-1)).toMatchObject({ failure: { type: 'aborted' } });
  });
});

describe('picking a model', () => {
  const anthropic = { ANTHROPIC_API_KEY: 'key' };

  it('knows short names, the environment and the default', () => {
    expect(modelName('sonnet', {})).toBe('claude-sonnet-5-5');
    expect(modelName(undefined, { ANTHROPIC_MODEL: 'haiku' })).toBe('claude-haiku-5-5');
    expect(modelName(undefined, {})).toBe('claude-opus-5-5');
    expect(pickAdapter('opus', anthropic)).toMatchObject({ type: 'adapter', model: 'claude-opus-5-5' });
  });

  it.each([
    ['ANTHROPIC_API_KEY', 'opus', { ANTHROPIC_API_KEY: 'sk-secret\nmore' }],
    ['ANTHROPIC_AUTH_TOKEN', 'opus', { ANTHROPIC_AUTH_TOKEN: 'ключ-secret' }],
    ['ANTHROPIC_BASE_URL', 'opus', { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'localhost:8080' }],
    ['OPENAI_API_KEY', 'openai:x', { OPENAI_API_KEY: 'a secret' }],
    ['OPENAI_BASE_URL', 'openai:x', { OPENAI_BASE_URL: 'not a url' }],
  ])('names %s that can’t be right before anything is sent, and quotes no key', (name, model, env) => {
    const picked = pickAdapter(model, env);
    expect(picked).toMatchObject({ type: 'unusable', message: expect.stringContaining(name) });
    expect(JSON.stringify(picked)).not.toContain('secret');
  });

  it('says when there is no key, and when a name is not known', () => {
    expect(pickAdapter(undefined, { ANTHROPIC_API_KEY: ' ' })).toMatchObject({
      type: 'no-key',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
    expect(pickAdapter('openai:gpt', {})).toMatchObject({ type: 'no-key', message: expect.stringContaining('OPENAI_API_KEY') });
    expect(pickAdapter('openai:', {})).toMatchObject({ type: 'unusable' });
    expect(pickAdapter('gpt', anthropic)).toMatchObject({ type: 'unusable', message: expect.stringContaining('openai:<name>') });
    expect(pickAdapter('demo', {})).toMatchObject({ type: 'unusable' });
    expect(pickAdapter('demo', {}, { demo: { steps: [] } })).toMatchObject({ type: 'adapter', model: 'demo' });
  });

  it('takes any name behind an address of one’s own, and a local server without a key', () => {
    expect(pickAdapter('house-model', { ...anthropic, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })).toMatchObject({
      type: 'adapter',
      model: 'house-model',
    });
    expect(pickAdapter('openai:qwen', { OPENAI_BASE_URL: 'http://127.0.0.1:1' })).toMatchObject({ type: 'adapter', model: 'openai:qwen' });
  });

  it('loads scripts from files', async () => {
    await writeFile(path.join(cwd, 'good.json'), '[{"type":"text","text":"hi"}]');
    await writeFile(path.join(cwd, 'bad.json'), '[{"type":"song"}]');
    const picked = pickAdapter('script:good.json', {}, { cwd });
    if (picked.type !== 'adapter') throw new Error(picked.message);
    expect((await collect(picked.adapter.stream(plan, body, signal))).at(-1)).toMatchObject({
      message: { content: [{ text: 'hi' }], model: 'script:good.json' },
    });
    expect(pickAdapter('script:bad.json', {}, { cwd })).toMatchObject({
      type: 'unusable',
      message: expect.stringContaining('steps[0].type'),
    });
    expect(pickAdapter('script:none.json', {}, { cwd })).toMatchObject({ type: 'unusable', message: expect.stringContaining('none.json') });
  });
});
