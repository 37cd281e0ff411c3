/** Language servers as settings name them, and the one that is found by itself: checked before anything is started. */
import { access } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { isObject } from '../settings/shape.js';

export type ServerEntry = {
  /** In messages for people. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Language ids of the protocol by the end of a file's name: `.ts` → `typescript`. */
  readonly languages: Readonly<Record<string, string>>;
  readonly initializationOptions?: unknown;
  /** How often it is started again after it ended by itself. Default 3. */
  readonly maxRestarts: number;
  /** `typescript`: asked for the problems of a file as it is; `published`: it says them when it likes, and they count once it is quiet. */
  readonly speaks: 'typescript' | 'published';
};

/** Entries of the setting `lspServers` by name; `false` switches one off. */
export type ReadServers = {
  readonly entries: readonly ServerEntry[];
  readonly off: readonly string[];
  /** One line each, for the person. */
  readonly problems: readonly string[];
};

const RESTARTS = 3;
/** Of the server that is found by itself. */
export const TYPESCRIPT = 'typescript';
const TYPESCRIPT_COMMAND = 'typescript-language-server';
const TYPESCRIPT_LANGUAGES = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascriptreact',
};

export function readServers(setting: Readonly<Record<string, unknown>>): ReadServers {
  const entries: ServerEntry[] = [];
  const off: string[] = [];
  const problems: string[] = [];
  for (const [name, value] of Object.entries(setting)) {
    if (value === false) off.push(name);
    else {
      const read = readEntry(name, value);
      if (typeof read === 'string') problems.push(`the setting lspServers.${name} ${read}; it was left out`);
      else entries.push(read);
    }
  }
  return { entries, off, problems };
}

/** What is wrong with it, as the end of a sentence. */
function readEntry(name: string, value: unknown): ServerEntry | string {
  if (!isObject(value)) return 'has to be an object, or false';
  const { command, args = [], env = {}, extensionToLanguage, initializationOptions, maxRestarts = RESTARTS } = value;
  if (typeof command !== 'string' || command === '') return 'has no "command"';
  if (!Array.isArray(args) || !args.every((one) => typeof one === 'string')) return 'has "args" that are no list of strings';
  const [variables, languages] = [stringsOf(env), stringsOf(extensionToLanguage)];
  if (variables === undefined) return 'has an "env" whose values are not all strings';
  if (languages === undefined || Object.keys(languages).length === 0) return 'has no "extensionToLanguage", such as {".go": "go"}';
  const wrong = Object.keys(languages).find((extension) => !/^\.[^/.]+$/.test(extension));
  if (wrong !== undefined) return `has the extension "${wrong}", and one begins with a dot`;
  if (typeof maxRestarts !== 'number' || !(maxRestarts >= 0)) return 'has a "maxRestarts" that is no number from 0';
  return { name, command, args, env: variables, languages, initializationOptions, maxRestarts, speaks: 'published' };
}

function stringsOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text] as const] : []));
  return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : undefined;
}

/** Whether a file is one for the server that is found by itself. */
export const isTypescript = (extension: string): boolean => Object.hasOwn(TYPESCRIPT_LANGUAGES, extension);

/** `typescript-language-server` of the project, from its folder up to the repository's, or of the PATH; undefined: there is none. */
export async function findTypescript(cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<ServerEntry | undefined> {
  const folders = [
    ...(await projectFolders(cwd)).map((folder) => join(folder, 'node_modules', '.bin')),
    ...(env['PATH'] ?? '').split(delimiter),
  ];
  for (const folder of folders) {
    const command = join(folder, TYPESCRIPT_COMMAND);
    if (folder === '' || !(await exists(command))) continue;
    return {
      name: TYPESCRIPT,
      command,
      args: ['--stdio'],
      env: {},
      languages: TYPESCRIPT_LANGUAGES,
      // Nothing is fetched behind anybody's back.
      initializationOptions: { disableAutomaticTypingAcquisition: true },
      maxRestarts: RESTARTS,
      speaks: 'typescript',
    };
  }
  return undefined;
}

/** The folder itself where there is no repository. */
async function projectFolders(cwd: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await exists(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
