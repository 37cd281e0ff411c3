/** Answers that a person gave once, by project: `<configDir>/state.json`. */
import { realpath, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { codeOf } from '../files/failure.js';
import { makeFolders } from '../files/make-folders.js';
import { readTextFile } from '../files/read.js';
import { writeTextFile } from '../files/write.js';
import { awaitLock } from '../store/await-lock.js';
import { projectRoot } from './project-root.js';
import { isObject } from './shape.js';

/** Whether the person lets a server of the project's `.mcp.json` run; `entry` names what was answered for. */
export type McpAnswer = { readonly answer: 'approved' | 'declined'; readonly entry: string };

/** A question that was not answered yet has no key. */
export type ProjectState = {
  readonly trusted?: boolean;
  /** Whether instruction files of the project may import files from outside it. */
  readonly externalImports?: 'approved' | 'declined';
  /** By name. */
  readonly mcpServers?: Readonly<Record<string, McpAnswer>>;
};

type StateOptions = { readonly cwd: string; readonly configDir: string };

/** What was answered for this folder, or for its repository. A missing or broken file holds no answers. */
export async function projectState({ cwd, configDir }: StateOptions): Promise<ProjectState> {
  const { projects } = await readState(join(configDir, 'state.json'));
  const folder = await realpath(cwd).catch(() => resolve(cwd));
  return { ...answersIn(projects[await projectRoot(cwd)]), ...answersIn(projects[folder]) };
}

export type StateWriting =
  | { readonly type: 'stored'; /** What the answer holds for. */ readonly folder: string }
  | { readonly type: 'failed'; readonly why: string };

/**
 * Stores answers for the repository of `cwd`, or for `cwd` where there is none. Everything else in the file stays; a
 * broken file is kept beside as `state.json.broken`. Never rejects.
 */
export async function rememberProject({
  cwd,
  configDir,
  answers,
}: StateOptions & { readonly answers: ProjectState }): Promise<StateWriting> {
  const file = join(configDir, 'state.json');
  try {
    await makeFolders(configDir, { mode: 0o700 });
    const release = await awaitLock(`${file}.lock`);
    if (release === undefined) return { type: 'failed', why: `another process holds ${file}.lock` };
    try {
      const { rest, projects, broken } = await readState(file);
      if (broken) await rename(file, `${file}.broken`);
      const folder = await projectRoot(cwd);
      const before = projects[folder];
      const after = { ...rest, projects: { ...projects, [folder]: { ...(isObject(before) ? before : {}), ...answers } } };
      const written = await writeTextFile(file, `${JSON.stringify(after, null, 2)}\n`);
      return written.type === 'written' ? { type: 'stored', folder } : written;
    } finally {
      await release();
    }
  } catch (error) {
    return { type: 'failed', why: codeOf(error) };
  }
}

type StateText = {
  readonly projects: Readonly<Record<string, unknown>>;
  readonly rest: Readonly<Record<string, unknown>>;
  readonly broken: boolean;
};

async function readState(file: string): Promise<StateText> {
  const nothing = { projects: {}, rest: {}, broken: false };
  const reading = await readTextFile(file);
  if (['missing', 'unreadable', 'directory', 'special'].includes(reading.type)) return nothing;
  if (reading.type !== 'text') return { ...nothing, broken: true };
  try {
    const value: unknown = JSON.parse(reading.text);
    if (!isObject(value)) return { ...nothing, broken: true };
    const { projects = {}, ...rest } = value;
    return isObject(projects) ? { projects, rest, broken: false } : { projects: {}, rest, broken: true };
  } catch {
    return { ...nothing, broken: true };
  }
}

function answersIn(value: unknown): ProjectState {
  if (!isObject(value)) return {};
  const { trusted, externalImports, mcpServers } = value;
  return {
    ...(isObject(mcpServers) ? { mcpServers: Object.fromEntries(Object.entries(mcpServers).filter(isAnswer)) } : {}),
    ...(typeof trusted === 'boolean' ? { trusted } : {}),
    ...(externalImports === 'approved' || externalImports === 'declined' ? { externalImports } : {}),
  };
}

function isAnswer(pair: [string, unknown]): pair is [string, McpAnswer] {
  const [, value] = pair;
  return isObject(value) && (value['answer'] === 'approved' || value['answer'] === 'declined') && typeof value['entry'] === 'string';
}
