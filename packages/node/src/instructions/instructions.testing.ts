/** Places on disk for tests of instruction files: a project, a home and an organisation, none of them the machine's. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { InstructionFile } from '@sidenote/engine';
import { explainInstructions, instructionFiles, nestedInstructions, type InstructionOptions } from './index.js';

export type Site = Awaited<ReturnType<typeof makeSite>>;

export async function makeSite() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-instructions-')));
  const at = { root, project: join(root, 'project'), home: join(root, 'home'), org: join(root, 'org'), out: join(root, 'out') };
  await Promise.all(Object.values(at).map((path) => mkdir(path, { recursive: true })));
  const { signal } = new AbortController();
  const about = (options: Partial<InstructionOptions>): InstructionOptions => ({
    cwd: at.project,
    home: at.home,
    env: {},
    managed: { folders: [at.org] },
    ...options,
  });
  // What lies above the temporary folder is not the test's.
  const own = (files: readonly InstructionFile[]): readonly InstructionFile[] => files.filter(({ path }) => path.startsWith(root));
  return {
    ...at,
    /** Content by path below the root. */
    async put(files: Readonly<Record<string, string>>): Promise<void> {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(root, name)), { recursive: true });
        await writeFile(join(root, name), content);
      }
    },
    async read(options: Partial<InstructionOptions> = {}): Promise<readonly InstructionFile[]> {
      const reading = await instructionFiles(about(options)).read(signal);
      return reading.type === 'ready' ? own(reading.value) : [];
    },
    explain: async (options: Partial<InstructionOptions> = {}) => own(await explainInstructions(about(options))),
    below: async (paths: readonly string[], options: Partial<InstructionOptions> = {}) =>
      own(await nestedInstructions(about(options)).below(paths, signal)),
    remove: () => rm(root, { recursive: true, force: true }),
    /** `path: text` of what is told, and `path: [status]` of the rest. */
    short: (files: readonly InstructionFile[]): readonly string[] =>
      files.map(({ path, text, status }) => `${path.slice(root.length + 1)}: ${['loaded', 'cut'].includes(status) ? text : `[${status}]`}`),
  };
}
