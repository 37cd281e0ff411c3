/** Settings of all layers, merged: managed over flags over local over project over user, each value with where it comes from. */
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lookSync, stampOf } from '../files/stat.js';
import { projectRoot } from './project-root.js';
import { settingsShape, type Settings } from './settings.js';
import { keyOf, parseSettings, readSettingsFile, type SettingsText, type SettingsWarning } from './settings-file.js';
import { withoutPowers, withoutRaises } from './trust.js';

export type SettingsLayer = 'managed' | 'flags' | 'local' | 'project' | 'user';

export type SettingOrigin = {
  readonly layer: SettingsLayer;
  /** Path of the file; `flags` for values from the command line. */
  readonly file: string;
  /** What paths like `/src` in it are relative to: the folder that holds `.sidenote` or `.claude`. */
  readonly folder: string;
};

export type LoadedSettings = {
  readonly settings: Settings;
  /** By key (`model`, `env.PATH`); items of lists that merge have a key each (`permissions.allow.0`). */
  readonly origins: ReadonlyMap<string, SettingOrigin>;
  readonly warnings: readonly SettingsWarning[];
  /** Of all files that were looked for, there or not, by path: their `stampOf` before they were read. */
  readonly files: ReadonlyMap<string, string>;
};

export type SettingsOptions = {
  readonly cwd: string;
  readonly home: string;
  /** `~/.sidenote`, or where it was moved to. */
  readonly configDir: string;
  /** Whether the person trusts this folder. If not, its settings may not run commands or widen permissions. */
  readonly trusted: boolean;
  /** From the command line, highest first: values, or what `--settings` was given (a path, or JSON that begins with `{`). */
  readonly flags?: readonly (string | Settings)[];
  /** `CLAUDE_CONFIG_DIR` is read from it. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Which layers are read beside managed ones and flags. Default: all. */
  readonly sources?: readonly ('user' | 'project' | 'local')[];
  /** Files of the organisation, highest first. Default: those of the platform. */
  readonly managed?: readonly string[];
};

type Layer = SettingsText & { readonly origin: SettingOrigin };

/** Never rejects: what can't be read or understood is a warning, and the rest applies. */
export async function loadSettings(options: SettingsOptions): Promise<LoadedSettings> {
  const places = await placesOf(options);
  const files = new Map(places.map(({ file }) => [file, stampOf(file)]));
  const read = await readLayers(places, options);
  const others = read.filter((layer) => !isFolders(layer)).map(({ settings }) => settings);
  const layers = read.map((layer) => (options.trusted || !isFolders(layer) ? layer : untrusted(layer, others)));
  const origins = new Map<string, SettingOrigin>();
  const counts = new Map<string, number>();
  for (const { settings, origin } of layers) {
    for (const { path, item } of settingsShape.parts(settings, [])) {
      const list = keyOf(path.slice(0, -1));
      const index = counts.get(list) ?? 0;
      const key = item ? `${list}.${index}` : keyOf(path);
      if (item) counts.set(list, index + 1);
      if (!origins.has(key)) origins.set(key, origin);
    }
  }
  return {
    settings: layers.reduce<Settings>((merged, { settings }) => settingsShape.merge(merged, settings), {}),
    origins,
    warnings: layers.flatMap(({ warnings }) => warnings),
    files,
  };
}

async function placesOf(options: SettingsOptions): Promise<readonly SettingOrigin[]> {
  const { cwd, home, configDir, env = {}, managed = managedFiles(), sources = ['user', 'project', 'local'] } = options;
  const claudeDir = env['CLAUDE_CONFIG_DIR'] || join(home, '.claude');
  const folders = [...new Set([resolve(cwd), await projectRoot(cwd)])];
  const inFolders = (layer: 'local' | 'project', name: string): SettingOrigin[] =>
    sources.includes(layer)
      ? folders.flatMap((folder) => ['.sidenote', '.claude'].map((own) => ({ layer, folder, file: join(folder, own, name) })))
      : [];
  const user = sources.includes('user') ? [configDir, claudeDir] : [];
  return [
    ...managed.map((file) => ({ layer: 'managed' as const, folder: cwd, file })),
    ...inFolders('local', 'settings.local.json'),
    ...inFolders('project', 'settings.json'),
    ...user.map((folder) => ({ layer: 'user' as const, folder: home, file: join(folder, 'settings.json') })),
  ];
}

/** Highest first. A file that is reached twice (the home as working directory) counts once, in the lowest layer. */
async function readLayers(
  places: readonly SettingOrigin[],
  { cwd, flags = [] }: Pick<SettingsOptions, 'cwd' | 'flags'>,
): Promise<readonly Layer[]> {
  // Most are not there, and a look is cheap.
  const files = await distinct(places.filter(({ file }) => lookSync(file).type !== 'gone'));
  const read = await Promise.all(files.map(async (origin): Promise<Layer> => ({ ...(await readSettingsFile(origin.file)), origin })));
  const isManaged = ({ origin }: Layer) => origin.layer === 'managed';
  const given = await Promise.all(flags.map((flag) => readFlag(flag, cwd)));
  return [...read.filter(isManaged), ...given, ...read.filter((layer) => !isManaged(layer))];
}

async function distinct(files: readonly SettingOrigin[]): Promise<readonly SettingOrigin[]> {
  const seen = new Set<string>();
  const found: SettingOrigin[] = [];
  for (const origin of files.toReversed()) {
    const path = await realpath(origin.file).catch(() => origin.file);
    if (!seen.has(path)) found.unshift(origin);
    seen.add(path);
  }
  return found;
}

async function readFlag(flag: string | Settings, cwd: string): Promise<Layer> {
  const origin = { layer: 'flags', folder: cwd, file: 'flags' } as const;
  if (typeof flag !== 'string') return { settings: flag, warnings: [], origin };
  if (flag.trimStart().startsWith('{')) return { ...(await parseSettings(flag, '--settings')), origin: { ...origin, file: '--settings' } };
  const file = resolve(cwd, flag);
  return { ...(await readSettingsFile(file, { named: true })), origin: { ...origin, file } };
}

/** What a project says, local settings included: they lie in its folder just the same. */
const isFolders = ({ origin }: Layer): boolean => origin.layer === 'project' || origin.layer === 'local';

function untrusted(layer: Layer, others: readonly Settings[]): Layer {
  const { file } = layer.origin;
  const harmless = withoutPowers(layer.settings);
  const { settings, left } = withoutRaises(harmless.settings, others);
  const warnings = [...harmless.left, ...left].map((key) => ({
    type: 'untrusted' as const,
    file,
    key,
    message: `${file}: "${key}" was left out, since this folder is not trusted`,
  }));
  return { ...layer, settings, warnings: [...layer.warnings, ...warnings] };
}

function managedFiles(): readonly string[] {
  const folders =
    process.platform === 'darwin'
      ? ['/Library/Application Support/Sidenote', '/Library/Application Support/ClaudeCode']
      : ['/etc/sidenote', '/etc/claude-code'];
  return process.platform === 'win32' ? [] : folders.map((folder) => join(folder, 'managed-settings.json'));
}
