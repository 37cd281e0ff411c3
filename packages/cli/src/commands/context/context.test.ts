import { defineAttachment, lastOf, openSession, profileOf, type ToolSpec } from '@sidenote/engine';
import { answer, call, MemoryStore, say, testPorts } from '@sidenote/engine/testing';
import { expect, it } from 'vitest';
import { requestText } from './request-text.js';
import { contextText } from './text.js';
import { viewOfAudit, viewOfPreview } from './view.js';

const weather = defineAttachment({
  kind: 'weather',
  version: 1,
  group: 'thread',
  wait: 'may',
  trust: 'client',
  needs: [],
  told: lastOf('weather', (data: { sky: string }) => data.sky),
  decode: (data) => data,
  collect: (_moment, told) => (told.value === undefined ? { type: 'new', data: { sky: 'blue' } } : { type: 'nothing' }),
  render: ({ sky }) => ({ content: [{ type: 'text', text: `The sky is ${sky}.` }] }),
  title: ({ sky }) => `weather ${sky}`,
  reason: () => 'not told yet',
});
const places = defineAttachment({
  ...weather,
  kind: 'places',
  title: () => 'seen: /w/src/a.ts, /w/src/b.ts',
  reason: () => 'nobody had told the model of them',
});
const absent = defineAttachment({ ...weather, kind: 'tides', collect: () => ({ type: 'unavailable', why: 'no coast' }) });
const tool: ToolSpec = { name: 'Read', description: 'Reads a file.', input_schema: { type: 'object' } };

const model = 'claude-opus-5-5';
const profile = profileOf(model);
const open = () =>
  openSession({
    model,
    tools: [tool],
    system: [
      { name: 'identity', text: 'You fix   bugs.\nAlways.', static: true },
      { name: 'style', text: 'Say "yes" in few words.', static: true },
      { name: 'environment', text: 'Linux', static: false },
    ],
    store: new MemoryStore(),
    ports: testPorts(),
    kinds: [weather, places, absent],
  });

it('shows who owns what of the last request, and adds up', async () => {
  const session = await open();
  const thread = session.main;
  await thread.prompt('Fix it, please.');
  const [made] = await thread.response(answer([say('Reading.'), call('Read', { file_path: 'a.ts' })]));
  await thread.result(made?.id ?? '', 'const a = 1;');
  await thread.next();
  const view = viewOfAudit(thread, { model, profile });

  expect(view.groups.map(({ group }) => group)).toEqual(['tool', 'section', 'attachment', 'prompt', 'answer', 'result']);
  expect(view.envelope + view.groups.reduce((sum, { characters }) => sum + characters, 0)).toBe(view.characters);
  expect(view.sections).toMatchObject([
    { name: 'identity', says: 'You fix bugs. Always.' },
    { name: 'style', says: 'Say "yes" in few words.' },
    { name: 'environment', says: 'Linux' },
  ]);
  expect(view.analysis.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(view.tokens);
  expect(view.reminders).toMatchObject({ kinds: [{ name: 'weather', says: 'weather blue', reason: 'not told yet' }, { name: 'places' }] });
  expect(view.messages.count).toBe(3);
  expect(view.reported).toMatchObject({ input_tokens: 10 });
  const text = contextText(view, { width: 80, cwd: '/w' });
  expect(text).toContain('weather blue: not told yet');
  expect(text).toContain(`  seen: src/a.ts, src/b.ts: nobody\n${' '.repeat(46)}had told the model of them`);
  expect(text).toContain('tides: unavailable (no coast)');
  expect(text).toContain('Tools (1)');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  await session.close();
});

it('shows what would be sent, and stores nothing', async () => {
  const session = await open();
  const step = await session.main.preview('Fix it.');
  const files = [
    { path: '/w/AGENTS.md', scope: 'project', text: 'Use tabs.', status: 'loaded', reason: 'in the working directory' },
    { path: '/w/lib/AGENTS.md', scope: 'project', text: 'Use spaces.', status: 'nested', reason: 'waits' },
    { path: '/w/CLAUDE.md', scope: 'project', text: '', status: 'shadowed', reason: 'same text as AGENTS.md' },
  ];
  const hooks = [{ event: 'Stop', runs: 'make check', file: '/w/.sidenote/settings.json', reason: 'not built yet' }];
  const view = viewOfPreview(session.main, step, { profile, files, hooks, tokens: () => 3 });
  expect(view.characters).toBe(JSON.stringify(step.request).length);
  expect(view.reminders.kinds).toMatchObject([{ name: 'weather', says: 'weather blue', reason: 'not told yet' }, { name: 'places' }]);
  expect(view.sections.map(({ says }) => says)).toEqual(['You fix bugs. Always.', 'Say "yes" in few words.', 'Linux']);
  expect(view.files.map(({ status, place, tokens }) => [status, place, tokens])).toEqual([
    ['loaded', 'told', 3],
    ['nested', 'waiting', 3],
    ['shadowed', 'absent', 0],
  ]);
  const text = contextText(view, { width: 120, cwd: '/w' });
  expect(text).toContain('shadowed   project         0 chars  CLAUDE.md: same text as AGENTS.md');
  expect(text.indexOf('Instruction files, the later')).toBeLessThan(text.indexOf('Waiting for a file'));
  expect(text).toContain('Stop: make check (.sidenote/settings.json); not built yet');
  expect(session.main.transcript.head).toBeNull();
  const texts = requestText(step.request, session.main.audit);
  expect(texts).toContain('── tools[0] · tool Read\nReads a file.\n{"type":"object"}');
  expect(texts).toContain('section identity, section style\nYou fix   bugs.\nAlways.');
  expect(texts).toContain('The sky is blue.');
  expect(texts).toMatch(/── messages\[0\]\.content\[\d\] · user · prompt human\nFix it\.$/);
  await session.close();
});

it('names what is off in one line, and each reason only when asked', async () => {
  const session = await openSession({
    model,
    tools: [],
    system: 'You fix bugs.',
    store: new MemoryStore(),
    ports: testPorts(),
    kinds: [weather, places, absent],
    off: { weather: 'not wanted', places: 'not wanted' },
  });
  await session.main.prompt('Fix it.');
  const view = viewOfAudit(session.main, { model, profile });
  const text = contextText(view, { width: 80, cwd: '/w' });
  expect(text).toContain('\n  tides: unavailable (no coast)\n  off: weather, places');
  expect(contextText(view, { width: 80, cwd: '/w', verbose: true })).toContain('\n  weather: off (not wanted)\n');
  await session.close();
});

it('draws who takes how much, within 24 lines and in any width', async () => {
  const session = await open();
  const thread = session.main;
  await thread.prompt('Fix it, please.');
  const view = viewOfAudit(thread, { model, profile });
  for (const [width, bar] of [
    [60, 4],
    [80, 20],
    [200, 40],
  ] as const) {
    const lines = contextText(view, { width, cwd: '/w' }).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines.find((line) => line.includes('system sections'))).toMatch(new RegExp(`^  [█░]{${bar}} `));
    expect(lines.findIndex((line) => line.includes('a compaction would free'))).toBeLessThan(20);
    expect(lines).toContain('Largest owners');
    expect(lines.slice(0, lines.indexOf('Largest owners')).join('')).not.toContain('…');
    // No colour, so that it reads on any ground.
    expect(lines.join('')).not.toContain('\u001b');
  }
  const { analysis } = view;
  expect(analysis.parts.find(({ name }) => name === 'weather')).toMatchObject({ by: 'client', role: 'user' });
  await session.close();
});
