/** What the command does without a model: views, the demo, version, help and health. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workplace } from './program.testing.js';

const place = workplace();
const { sidenote } = place;

it('shows what would be sent, and leaves no trace', async () => {
  await writeFile(join(place.project, 'a.txt'), 'content-elm\n');
  const run = await sidenote(['context', 'see @a.txt', '--json']);
  expect(run.status).toBe(0);
  const view = JSON.parse(run.out) as Record<string, unknown>;
  expect(view).toMatchObject({
    files: [{ path: join(place.project, 'AGENTS.md'), status: 'loaded' }],
    reminders: { blocks: expect.any(Number) as number },
  });
  expect(JSON.stringify(view['request'])).toContain('content-elm');
  expect((await sidenote(['context'])).out).toContain('project_instructions');
  expect(await readdir(join(place.root, 'home'))).toEqual([]);
});

it('plays the demo as text, and cleans up', async () => {
  const run = await sidenote([], { env: { TMPDIR: place.root } });
  expect(run.status).toBe(0);
  expect(run.err).toContain('ANTHROPIC_API_KEY');
  for (const words of ['May this run?', 'Hello, ${name}!', 'changed: ', 'Injected (', 'project instructions'])
    expect(run.out).toContain(words);
  expect(run.out).not.toContain('\u001b');
  expect((await readdir(place.root)).toSorted()).toEqual(['home', 'project']);
  expect(await readdir(join(place.root, 'home'))).toEqual([]);
});

it('tells its version, help and health', async () => {
  const manifest = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as { readonly version: string };
  expect(await sidenote(['--version'])).toMatchObject({ status: 0, out: `${manifest.version}\n` });
  expect((await sidenote(['--help'])).out).toContain('--output-format');
  const doctor = await sidenote(['doctor']);
  expect(doctor.out).toContain(process.version);
  expect(doctor.out).toContain('ANTHROPIC_API_KEY');
  expect(await sidenote(['docter'])).toMatchObject({
    status: 2,
    out: '',
    err: expect.stringContaining('did you mean `sidenote doctor`?'),
  });
});

it('takes a missing rg for a remark, and a missing git for a fault', async () => {
  const doctor = await sidenote(['doctor'], { env: { PATH: place.root } });
  expect(doctor.status).toBe(1);
  expect(doctor.out).toMatch(/^- {3}rg +not found: Grep uses the built-in scan/m);
  expect(doctor.out).toMatch(/^! {3}git +not found: install it/m);
});
