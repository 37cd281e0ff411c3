/** What injected context must do in a whole session: real files, real git, the real loop and tools; only the model follows a script. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { builtInKinds, validateBody, profileOf, type MessagesBody } from '@sidenote/engine';
import { bare } from '@sidenote/engine/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentEvent } from '../loop/events.js';
import { makeProject, say, use, type Project } from './project.testing.js';

let project: Project;
beforeEach(() => {
  project = makeProject();
  project.put('AGENTS.md', '# Rules\n- Names of functions are snake_case. RULE-ROOT\n');
  project.put('utils.js', 'function getUser(uid) {\n  return { id: uid };\n}\n');
  project.git('add', '.');
  project.git('commit', '-qm', 'first');
});
afterEach(() => project.close());

const count = (text: string, part: string): number => text.split(part).length - 1;
const textOf = (body: MessagesBody | undefined): string => bare(body?.messages ?? []);
const injected = (events: readonly AgentEvent[]) => events.flatMap((event) => (event.type === 'attachment-injected' ? [event.kind] : []));
/** The blocks of one message, results by what they hold. */
const blocks = (body: MessagesBody | undefined, message: number): readonly string[] =>
  (body?.messages.at(message)?.content ?? []).map((block) => {
    if (block.type === 'text') return block.text;
    return block.type === 'tool_result'
      ? block.content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n---\n')
      : block.type;
  });
const rename = (command: string) => use('Bash', { command });
const formatter = rename(
  `node -e "const fs=require('fs');fs.writeFileSync('utils.js',fs.readFileSync('utils.js','utf8').replace('getUser','get_user'))"`,
);

describe('the system prompt', () => {
  test('is the same bytes in every request, marked at its end, and knows no date', async () => {
    const { run, sent } = await project.open([use('Read', { file_path: 'utils.js' }), say('Read.'), say('Again.')]);
    await run('Look at utils.js.');
    project.clock.advance(86_400_000);
    project.put('AGENTS.md', 'changed\n');
    project.git('checkout', '-qb', 'other');
    await run('And now?');
    expect(sent).toHaveLength(3);
    const [first, ...others] = sent.map(({ system, tools }) => bare([system, tools]));
    for (const other of others) expect(other).toBe(first);
    expect(sent[0]?.system.at(-1)?.cache_control).toEqual({ type: 'ephemeral' });
    expect(first).not.toMatch(/\d{4}-\d\d-\d\d/);
    expect(first).not.toContain('RULE-ROOT');
    expect(first).not.toContain('main');
  });

  test('and the newest block are marked, with never more than four marks', async () => {
    const { run, sent } = await project.open([use('Read', { file_path: 'utils.js' }), say('Read.'), say('Again.')]);
    await run('Look.');
    await run('Look again.');
    for (const body of sent) {
      expect(count(JSON.stringify(body), '"cache_control"')).toBeLessThanOrEqual(4);
      expect(body.messages.at(-1)?.content.at(-1)).toHaveProperty('cache_control');
      expect(validateBody(body, profileOf(body.model))).toEqual([]);
    }
  });
});

describe('project instructions', () => {
  test('stand in the first message with the git snapshot, once, before the words', async () => {
    const { run, sent } = await project.open([use('Read', { file_path: 'utils.js' }), say('ok'), say('ok')]);
    expect(injected(await run('Check the names.'))).toEqual(['project_instructions', 'git_snapshot', 'date_change']);
    expect(injected(await run('Check again.'))).toEqual([]);
    const [opening, date, words] = blocks(sent.at(-1), 0);
    expect(opening).toMatch(/^<system-reminder>[^]*RULE-ROOT[^]*main[^]*first[^]*<\/system-reminder>$/);
    expect(date).toContain('2026-10-22');
    expect(words).toBe('Check the names.');
    expect(count(textOf(sent.at(-1)), 'RULE-ROOT')).toBe(1);
  });

  test('come from the user, then from the root down to the working folder', async () => {
    project.put(join(project.home, '.sidenote', 'AGENTS.md'), 'RULE-USER\n');
    project.put('apps/AGENTS.md', 'RULE-APPS\n');
    project.put('apps/web/CLAUDE.md', 'RULE-WEB\n');
    project.put('apps/api/AGENTS.md', 'RULE-API\n');
    const { run, sent } = await project.open([say('ok')], { folder: 'apps/web' });
    await run('Hello.');
    expect(textOf(sent[0]).match(/RULE-[A-Z]+/g)).toEqual(['RULE-USER', 'RULE-ROOT', 'RULE-APPS', 'RULE-WEB']);
  });

  test('come anew in a new session, and not again in a resumed one, whose bytes are the same', async () => {
    const first = await project.open([say('ok')]);
    await first.run('One.');
    await first.session.close();
    const resumed = await project.open([say('ok')], { resume: first.session.id });
    expect(injected(await resumed.run('Two.'))).toEqual([]);
    expect(count(textOf(resumed.sent[0]), 'RULE-ROOT')).toBe(1);
    expect(bare(resumed.sent[0]?.messages.slice(0, 1))).toBe(bare(first.sent[0]?.messages));
    await resumed.session.close();
    const fresh = await project.open([say('ok')]);
    expect(injected(await fresh.run('Three.'))).toContain('project_instructions');
    await fresh.session.close();
  });
});

test('the date is told at first, and once more when the day has changed', async () => {
  const first = await project.open([say('ok'), say('ok'), say('ok')]);
  await first.run('One.');
  expect(injected(await first.run('Two.'))).toEqual([]);
  project.clock.advance(86_400_000);
  expect(injected(await first.run('Three.'))).toEqual(['date_change']);
  expect(textOf(first.sent.at(-1)).match(/(?:Today is|date is now) 2026-10-\d\d/g)).toEqual([
    'Today is 2026-10-22',
    'date is now 2026-10-23',
  ]);
  await first.session.close();
  project.clock.advance(86_400_000);
  const resumed = await project.open([say('ok')], { resume: first.session.id });
  expect(injected(await resumed.run('Four.'))).toEqual(['date_change']);
  expect(blocks(resumed.sent[0], -1)[0]).toContain('2026-10-24');
});

describe('a file that the model has seen', () => {
  test('and someone else changes is told as a difference, once; then it can be edited without another look', async () => {
    const { run, sent } = await project.open([
      use('Read', { file_path: 'utils.js' }),
      say('Read.'),
      use('Edit', { file_path: 'utils.js', old_string: 'id: uid', new_string: 'id: uid, ok: true' }),
      say('Edited.'),
      say('Done.'),
    ]);
    await run('Look.');
    project.put('utils.js', project.read('utils.js').replace('getUser', 'get_user'));
    expect(injected(await run('Go on.'))).toEqual(['changed_files']);
    const [notice] = blocks(sent[2], -1);
    expect(notice).toContain('-function getUser(uid) {');
    expect(notice).toContain('+function get_user(uid) {');
    expect(project.read('utils.js')).toContain('get_user(uid) {\n  return { id: uid, ok: true }');
    expect(injected(await run('Anything else?'))).toEqual([]);
    expect(count(textOf(sent.at(-1)), '+function get_user')).toBe(1);
  });

  test('and changes itself with Edit or Write is not told', async () => {
    const { run } = await project.open([
      use('Read', { file_path: 'utils.js' }),
      use('Edit', { file_path: 'utils.js', old_string: 'getUser', new_string: 'get_user' }),
      use('Write', { file_path: 'new.js', content: 'export {};\n' }),
      say('Done.'),
      say('Nothing.'),
    ]);
    expect(injected(await run('Rename it.'))).not.toContain('changed_files');
    expect(injected(await run('What changed?'))).toEqual([]);
  });

  test('and changes by a command is told behind the result of that command', async () => {
    const { run, sent } = await project.open([use('Read', { file_path: 'utils.js' }), formatter, say('I see it was renamed.')]);
    expect(injected(await run('Check the names.')).filter((kind) => kind === 'changed_files')).toHaveLength(1);
    const last = sent.at(-1)?.messages.at(-1)?.content ?? [];
    expect(last[0]?.type).toBe('tool_result');
    const [result] = blocks(sent.at(-1), -1);
    const [output, notice] = (result ?? '').split('\n---\n');
    expect(output).not.toContain('system-reminder');
    expect(notice).toMatch(/^<system-reminder>[^]*\+function get_user[^]*<\/system-reminder>$/);
  });

  test('and changes while no session ran is told when it is resumed', async () => {
    const first = await project.open([use('Read', { file_path: 'utils.js' }), say('Read.')]);
    await first.run('Look.');
    await first.session.close();
    project.put('utils.js', 'function other() {}\n');
    const resumed = await project.open([say('I see.')], { resume: first.session.id });
    expect(injected(await resumed.run('Go on.'))).toEqual(['changed_files']);
    expect(textOf(resumed.sent[0])).toContain('+function other() {}');
  });
});

test('notifications from anywhere are told with the next message, each once', async () => {
  const { run, sent, session } = await project.open([use('Read', { file_path: 'utils.js' }), say('ok'), say('ok'), say('ok')]);
  await run('One.');
  const worker = new Worker(`require('node:worker_threads').parentPort.postMessage('NEWS-OF-A-WORKER')`, { eval: true });
  const told = new Promise<void>((resolve, reject) => {
    worker.once('message', (text: string) => {
      session.notify({ text, trust: 'third-party', wake: false }).then(() => resolve(), reject);
    });
  });
  await Promise.all([told, session.notify({ text: 'NEWS-OF-A-TIMER', trust: 'client', wake: false })]);
  expect(injected(await run('Two.'))).toEqual(['task_notifications']);
  expect(injected(await run('Three.'))).toEqual([]);
  for (const news of ['NEWS-OF-A-WORKER', 'NEWS-OF-A-TIMER']) {
    expect(count(textOf(sent.at(-1)), news)).toBe(1);
    expect(count(project.lines(session).join('\n'), news)).toBeGreaterThan(0);
  }
});

test('history is only ever added to, whatever happens in between', async () => {
  const { run, sent, session } = await project.open([
    use('Read', { file_path: 'utils.js' }),
    formatter,
    say('ok'),
    use('Grep', { pattern: 'get_user' }),
    say('ok'),
  ]);
  await run('One.');
  await session.notify({ text: 'news', trust: 'client', wake: false });
  project.clock.advance(86_400_000);
  project.put('utils.js', 'gone\n');
  await run('Two, see @AGENTS.md.');
  expect(sent).toHaveLength(5);
  sent.reduce((before, body) => {
    expect(body.messages.length).toBeGreaterThan(before.messages.length);
    expect(bare(body.messages.slice(0, before.messages.length))).toBe(bare(before.messages));
    return body;
  });
  const lines = project.lines(session);
  writeFileSync(join(project.home, 'copy'), lines.join('\n'));
  await session.close();
  expect(project.lines(session)).toEqual(lines);
});

describe('a source that is broken', () => {
  const broken = (how: () => never) => ({ read: how });

  test('is passed over and reported; the turn and all other context are as ever', async () => {
    const { run, sent } = await project.open([say('ok')], {
      ports: (ports) => ({
        ...ports,
        git: broken(() => {
          throw new Error('git is gone');
        }),
        instructions: { read: () => Promise.reject(new Error('no disk')) },
      }),
    });
    const events = await run('Hello.');
    const reports = events.flatMap((event) => (event.type === 'attachment-reported' ? [event.collected] : []));
    const failed = reports.filter(({ outcome }) => outcome !== 'off');
    expect(failed.map(({ kind, outcome, why }) => [kind, outcome, why])).toEqual([
      ['project_instructions', 'failed', 'no disk'],
      ['git_snapshot', 'failed', 'git is gone'],
    ]);
    expect(injected(events)).toEqual(['date_change']);
    expect(blocks(sent[0], 0).at(-1)).toBe('Hello.');
    expect(events.at(-1)).toMatchObject({ type: 'turn-ended', result: { reason: 'done' } });
  });

  test('is told as soon as it works again', async () => {
    let works = false;
    const { run } = await project.open([say('ok'), say('ok')], {
      ports: (ports) => ({
        ...ports,
        instructions: { read: (signal) => (works ? ports.instructions.read(signal) : { type: 'unavailable', why: 'not mounted yet' }) },
      }),
    });
    expect(injected(await run('One.'))).not.toContain('project_instructions');
    works = true;
    expect(injected(await run('Two.'))).toEqual(['project_instructions']);
  });

  test('without its port is off by name', async () => {
    const { run, session } = await project.open([say('ok')], {
      ports: ({ clock, ids, digest, tokens }) => ({ clock, ids, digest, tokens }),
    });
    await run('Hello.');
    expect(session.main.audit.absent).toContainEqual({
      kind: 'git_snapshot',
      outcome: 'off',
      ms: 0,
      why: 'this session has no view of git',
    });
  });
});

test('the context view owns every character of a request, by kind and with its reason', async () => {
  const { run, session, sent } = await project.open([use('Read', { file_path: 'utils.js' }), formatter, say('ok')]);
  await run('Check the names.');
  const { entries, characters, envelope } = session.main.audit;
  expect(characters).toBe(JSON.stringify(sent.at(-1)).length);
  expect(entries.reduce((sum, { from, to }) => sum + to - from, envelope)).toBe(characters);
  const kinds = entries.filter(({ owner }) => owner.type === 'attachment');
  expect(kinds.map(({ owner, reason, trigger }) => [owner.name, reason, trigger])).toEqual([
    ['project_instructions', 'a window began', 'prompt'],
    ['git_snapshot', expect.any(String), 'prompt'],
    ['date_change', expect.any(String), 'prompt'],
    ['changed_files', 'it is not as the model saw it', 'tool_results'],
  ]);
  for (const type of ['section', 'tool', 'prompt', 'answer', 'result']) expect(entries.some(({ owner }) => owner.type === type)).toBe(true);
});

test('a kind is off with the ports of a machine only where a feature was not brought', async () => {
  const { run, session } = await project.open([say('ok')]);
  await run('Hello.');
  const off = session.main.audit.absent.filter(({ outcome }) => outcome === 'off');
  // Kinds of features that a session brings beside those have their own ports or tools.
  expect(off.filter(({ why = '' }) => !/^(this session has no|there is no tool)/.test(why))).toEqual([]);
  expect(off.map(({ kind }) => kind)).not.toContain('date_change');
  expect(builtInKinds.length).toBeGreaterThan(8);
});
