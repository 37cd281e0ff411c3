import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttachmentRecord } from '../../transcript/records.js';
import type { Diagnostic, FileProblems, Ports } from '../ports.js';
import { diagnostics } from './diagnostics.js';
import { ask, moment, result, source, view } from './kind.testing.js';
import { lspDiagnostics } from './lsp-diagnostics.js';

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const problem = (message: string, more: Partial<Diagnostic> = {}): Diagnostic => ({ line: 3, severity: 'error', message, ...more });
const sees = (...files: readonly FileProblems[]) => ({ digest, diagnostics: source(files) });
const wrote = (path: string) => result('c1', 'done', [{ type: 'wrote', view: view(path), before: null }]);

test('what is new, the worse first; nothing twice, also where it moved; again after it was gone', async () => {
  const file = {
    path: '/p/a.ts',
    problems: [problem('unused x', { severity: 'warning', line: 1 }), problem('no y', { source: 'ts', code: '2304' })],
  };
  const first = await ask(diagnostics, { ports: sees(file) });
  expect(first.text).toMatchInlineSnapshot(`
    "The editor reports problems that you were not told of before:

    /p/a.ts
    - line 3, error: no y (ts 2304)
    - line 1, warning: unused x"
  `);
  expect(first.record?.title).toBe('editor: 2 problems in /p/a.ts');
  const moved = { path: '/p/a.ts', problems: file.problems.map((one) => ({ ...one, line: one.line + 40 })) };
  expect((await ask(diagnostics, { records: first.records, ports: sees(moved) })).type).toBe('nothing');
  const fixed = await ask(diagnostics, { records: first.records, ports: sees() });
  expect([fixed.type, fixed.text, fixed.record?.title]).toEqual(['new', '', 'editor: problems gone']);
  const records = [...first.records, ...fixed.records];
  expect((await ask(diagnostics, { records, ports: sees() })).type).toBe('nothing');
  expect((await ask(diagnostics, { records, ports: sees(file) })).text).toContain('no y');
});

test('the second of two equal problems is a new one', async () => {
  const first = await ask(diagnostics, { ports: sees({ path: '/p/a.ts', problems: [problem('no y')] }) });
  const second = await ask(diagnostics, {
    records: first.records,
    ports: sees({ path: '/p/a.ts', problems: [problem('no y'), problem('no y', { line: 9 })] }),
  });
  expect(second.text).toContain('line 9, error: no y');
  expect(second.text).not.toContain('line 3');
});

test('what the editor says of a file in the moment in which it was written is not believed', async () => {
  const ports = sees({ path: '/p/a.ts', problems: [problem('stale')] }, { path: '/p/b.ts', problems: [problem('other')] });
  const now = await ask(diagnostics, { records: [wrote('/p/a.ts')], ports, moment: moment({ trigger: 'tool_results' }) });
  expect(now.text).not.toContain('stale');
  expect(now.text).toContain('other');
  expect((await ask(diagnostics, { records: [wrote('/p/a.ts'), ...now.records], ports })).text).toContain('stale');
});

test('an editor that is away is not one without problems', async () => {
  const first = await ask(diagnostics, { ports: sees({ path: '/p/a.ts', problems: [problem('no y')] }) });
  const away = { digest, diagnostics: { read: () => ({ type: 'unavailable', why: 'it is away' }) } } satisfies Partial<Ports>;
  expect(await ask(diagnostics, { records: first.records, ports: away })).toMatchObject({ type: 'unavailable', why: 'it is away' });
});

test('a flood is named in part, counted, and remembered as far as a record goes', async () => {
  const files = Array.from({ length: 40 }, (_, n) => ({
    path: `/p/${n}.ts`,
    problems: Array.from({ length: 12 }, (_, k) => problem(`${n} ${k} ${'x'.repeat(900)}`)),
  }));
  const told = await ask(diagnostics, { ports: sees(...files) });
  expect(told.text.match(/^- line/gm)).toHaveLength(30);
  expect(told.text).toContain('- and 2 more in this file');
  expect(told.text).toMatch(/And \d+ more in other files\.$/);
  expect(told.text.length).toBeLessThan(16_000);
  expect(JSON.stringify(told.record?.data).length).toBeLessThanOrEqual(4_096);
  expect((await ask(diagnostics, { ports: sees(...files), tokens: 200 })).cut).toMatch(/lines of problems/);
});

test('whatever happens to problems, each is told when it comes, and only then', async () => {
  const state = fc.dictionary(fc.constantFrom('/a', '/b', '/c'), fc.array(fc.constantFrom('one', 'two', 'three'), { maxLength: 4 }));
  await fc.assert(
    fc.asyncProperty(fc.array(state, { maxLength: 6 }), async (states) => {
      const records: AttachmentRecord[] = [];
      let before: Record<string, readonly string[]> = {};
      for (const now of states) {
        const files = Object.entries(now).map(([path, messages]) => ({ path, problems: messages.map((message) => problem(message)) }));
        const told = await ask(diagnostics, { records, ports: sees(...files) });
        const grown = Object.entries(now).reduce((sum, [path, messages]) => sum + added(before[path] ?? [], messages), 0);
        expect(told.text.match(/^- line/gm)?.length ?? 0).toBe(grown);
        records.push(...told.records);
        before = now;
      }
    }),
  );
});

function added(before: readonly string[], now: readonly string[]): number {
  const left = [...before];
  return now.filter((one) => {
    const at = left.indexOf(one);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  }).length;
}

test('language servers are asked about what was written, and a file without a fresh result keeps what is known', async () => {
  const asked: unknown[] = [];
  const servers = (value: readonly FileProblems[]) => ({
    digest,
    languageServers: {
      read: async (files: { readonly touched: readonly string[]; readonly written: readonly string[] }) => {
        asked.push(files);
        return { type: 'ready' as const, value, version: '' };
      },
    },
  });
  expect((await ask(lspDiagnostics, { ports: servers([]) })).type).toBe('nothing');
  expect(asked).toEqual([]);
  const records = [result('c0', '', [{ type: 'viewed', view: view('/p/b.ts') }]), wrote('/p/a.ts')];
  const first = await ask(lspDiagnostics, { records, ports: servers([{ path: '/p/a.ts', problems: [problem('no y')] }]) });
  expect(asked).toEqual([{ touched: ['/p/b.ts', '/p/a.ts'], written: ['/p/a.ts'] }]);
  expect(first.text).toContain('- line 3, error: no y');
  const later = [...records, ...first.records];
  expect((await ask(lspDiagnostics, { records: later, ports: servers([]) })).type).toBe('nothing');
  const fixed = await ask(lspDiagnostics, { records: later, ports: servers([{ path: '/p/a.ts', problems: [] }]) });
  expect([fixed.text, fixed.record?.title]).toEqual(['', 'language server: problems gone in /p/a.ts']);
});
