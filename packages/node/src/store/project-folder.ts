/** Where the sessions of a working directory lie. Other tools name project folders by the same public rule. */
import { join, resolve } from 'node:path';
import { realOf } from '../files/paths.js';
import { defaultConfigDir } from './config-dir.js';

const maxNameLength = 200;

/**
 * Folder name of a project: every character that is not an ASCII letter or digit becomes `-`; past 200 characters it is
 * cut and ends with a hash of the whole path in base 36.
 */
export function projectName(path: string): string {
  const name = path.replace(/[^a-zA-Z0-9]/g, '-');
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}-${Math.abs(hash32(path)).toString(36)}`;
}

/** `<configDir>/projects/<project>` of a working directory, links resolved. Nothing is created. */
export function projectFolder({ cwd, configDir = defaultConfigDir() }: { readonly cwd: string; readonly configDir?: string }): string {
  return join(configDir, 'projects', projectName(projectPath(cwd)));
}

/** A working directory as sessions are filed by it: links resolved, in one form of Unicode. */
export const projectPath = (cwd: string): string => realOf(resolve(cwd)).normalize('NFC');

/** The 31-multiplier string hash, as a signed 32-bit number. */
function hash32(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
