import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memoryPlaces, type MemoryPlaces } from './places.js';
import { memoryRecall, type MemoryChooser } from './recall.js';
import { explainMemories } from './stored.js';

let root = '';
let places: MemoryPlaces;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-recall-')));
  places = memoryPlaces({ cwd: root, configDir: join(root, 'config') });
});
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(places.own.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

type Recall = ReturnType<typeof memoryRecall>;
let words = 0;
/** What is found for a prompt, however long it takes. */
async function find(recall: Recall, prompt: string) {
  const id = `p${++words}`;
  recall.begin(id, prompt);
  return await expect
    .poll(() => recall.take(id), { timeout: 20_000 })
    .not.toBeNull()
    .then(() => recall.take(id) ?? []);
}
const names = async (recall: Recall, prompt: string) =>
  (await find(recall, prompt)).map(({ path }) => path.slice(places.own.path.length + 1));

test('nothing is found, and at once, where there is no memory', () => {
  const recall = memoryRecall({ places });
  recall.begin('p', 'How do we deploy?');
  expect(recall.take('p')).toEqual([]);
  expect(recall.take('other')).toBeNull();
});

test('memories are found by what they are about, in other forms and other scripts', async () => {
  await put({
    'release.md': '---\nname: release\ndescription: deploying to staging and production\n---\nTag, then wait.\n',
    'db.md': '# Postgres migrations\nRun them by hand.\n',
    'kaffee.md': '# Kaffeemaschine\nEntkalken im März.\n',
    'deep/zh.md': '# 数据库备份\n每天晚上备份。\n',
    'long.md': `# Long\n${'line of text\n'.repeat(400)}`,
    'MEMORY.md': '- deploy: release.md\n',
  });
  const recall = memoryRecall({ places });
  expect(await names(recall, 'please deploy this')).toEqual(['release.md']);
  expect(await names(recall, 'a postgress migration fails')).toEqual(['db.md']);
  expect(await names(recall, 'Wie geht die Kaffeemaschine?')).toEqual(['kaffee.md']);
  expect(await names(recall, '怎么恢复数据库备份？')).toEqual(['deep/zh.md']);
  expect(await names(recall, 'What is this and how do I run it?')).toEqual([]);
  const [long] = await find(recall, 'the long one');
  expect(long).toMatchObject({
    status: 'cut',
    reason: expect.stringMatching(/^the first 120 of 401 lines; it has long; Read the file/),
    view: { lines: [[1, 120]] },
  });
  expect(long?.whole).toHaveLength(7 + 400 * 13);
});

test('what was loaded once answers at once, and sees what changed since', async () => {
  await put({ 'a.md': '# Apples\nred\n' });
  const recall = memoryRecall({ places });
  await find(recall, 'apples');
  await put({ 'b.md': '# Bananas\nyellow\n' });
  recall.begin('now', 'bananas');
  expect(recall.take('now')).toMatchObject([{ text: '# Bananas\nyellow', reason: 'it has bananas', scope: 'memory' }]);
  await put({ 'b.md': '# Bananas\ngreen\n' });
  await utimes(join(places.own.path, 'b.md'), 1, 1);
  recall.begin('later', 'bananas');
  expect(recall.take('later')).toMatchObject([{ text: '# Bananas\ngreen' }]);
});

test('a chooser picks by name; what it makes up is passed over, and the search stands in where it fails or hangs', async () => {
  await put({ 'a.md': '# Apples\nred\n', 'b.md': '# Bananas\nyellow\n' });
  const asked: string[] = [];
  const chooser = (choose: MemoryChooser['choose']): Recall => memoryRecall({ places, chooser: { name: 'small', choose } });
  const choosing = chooser(async ({ memories }) => {
    asked.push(...memories.map(({ name, title }) => `${name}: ${title}`));
    return ['b.md', '../../etc/passwd', 'b.md'];
  });
  expect(await find(choosing, 'apples')).toMatchObject([{ text: '# Bananas\nyellow', reason: 'chosen by small' }]);
  expect(asked).toEqual(['a.md: Apples', 'b.md: Bananas']);
  const broken: MemoryChooser['choose'] = () => {
    throw new Error('broken');
  };
  for (const failing of [broken, () => Promise.reject(new Error('down'))])
    expect(await names(chooser(failing), 'apples')).toEqual(['a.md']);
  const hanging = chooser(() => new Promise(() => undefined));
  hanging.begin('p', 'apples');
  expect(hanging.take('p')).toBeNull();
  hanging.close();
  await expect.poll(() => hanging.take('p'), { timeout: 20_000 }).toMatchObject([{ text: '# Apples\nred' }]);
});

test('links out of the folder, other files and far too many are left out, and said where someone has to act', async () => {
  await put({ 'a.md': '# Apples\nred\n', 'a.txt': 'apples', '.hidden.md': '# Apples', 'empty.md': '' });
  await writeFile(join(root, 'secret.md'), '# Apples\nSECRET\n');
  await symlink(join(root, 'secret.md'), join(places.own.path, 'link.md'));
  await symlink('a.md', join(places.own.path, 'same.md'));
  const found = await find(memoryRecall({ places }), 'apples');
  expect(JSON.stringify(found)).not.toContain('SECRET');
  expect(found.find(({ status }) => status === 'outside')?.warning).toContain('leads out of');
  expect(explainMemories(places).map(({ path, status }) => [path.slice(places.own.path.length + 1), status])).toEqual([
    ['a.md', 'on-demand'],
    ['empty.md', 'on-demand'],
    ['a.md', 'on-demand'],
    ['link.md', 'outside'],
  ]);
});

test('whatever memories and prompts hold, a look-up ends and what is told stays within its limits', async () => {
  await put({ 'x.md': 'x' });
  const recall = memoryRecall({ places });
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      async (text, prompt) => {
        await put({ 'x.md': text.repeat(20) });
        for (const file of await find(recall, `${prompt} ${text.slice(0, 40)}`))
          expect(Buffer.byteLength(file.text)).toBeLessThanOrEqual(4 * 1024);
      },
    ),
    { numRuns: 40 },
  );
});
