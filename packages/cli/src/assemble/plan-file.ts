/** The file that a session's plan is written to: one per session, named so that a person can find it again. */
import { join } from 'node:path';
import { digestOf, objectionToFolder, realOf, resolveFrom, type LoadedSettings } from '@sidenote/node';
import type { Io } from '../io.js';

const HOW = [
  'amber',
  'brisk',
  'calm',
  'clear',
  'deep',
  'early',
  'fair',
  'gentle',
  'green',
  'keen',
  'light',
  'mild',
  'plain',
  'quiet',
  'still',
  'warm',
];
const WHAT = [
  'beech',
  'brook',
  'cliff',
  'cove',
  'elm',
  'fern',
  'field',
  'harbor',
  'heron',
  'island',
  'meadow',
  'moss',
  'otter',
  'ridge',
  'tern',
  'willow',
];
/** Folders whose files run or configure programs; a plan is written there without a question, so none is taken. */
const CONFIGURING = /(^|\/)\.(git|claude|sidenote|vscode|idea|husky|devcontainer|github)(\/|$)/i;

export type PlansFolder = {
  readonly folder: string;
  /** Why the setting was left out: one line for the person. */
  readonly notice?: string;
};

/** `~/.sidenote/plans`, or what the setting `plansDirectory` says; a relative one lies in the working directory. */
export function plansFolder(at: {
  readonly io: Pick<Io, 'cwd' | 'home'>;
  readonly configDir: string;
  readonly loaded: LoadedSettings;
}): PlansFolder {
  const { io, configDir, loaded } = at;
  const own = join(configDir, 'plans');
  const named = loaded.settings.plansDirectory;
  if (named === undefined) return { folder: own };
  const folder = resolveFrom(io.cwd, named, io.home);
  const against =
    objectionToFolder(folder, io) ??
    ([folder, realOf(folder)].some((path) => CONFIGURING.test(path)) ? 'its files may configure programs' : undefined);
  if (against === undefined) return { folder };
  const origin = loaded.origins.get('plansDirectory')?.file ?? 'settings';
  return { folder: own, notice: `${origin}: "plansDirectory" can't be ${named}: ${against}; plans are in ${own}` };
}

/** The same for the same session, so that a resume finds it. */
export function planFile(folder: string, session: string): string {
  const digest = digestOf(session);
  const pick = (words: readonly string[], from: number): string =>
    words[Number.parseInt(digest.slice(from, from + 4), 16) % words.length] ?? '';
  return join(folder, `${pick(HOW, 8)}-${pick(WHAT, 12)}-${digest.slice(0, 8)}.md`);
}
