/** The built command in a workspace of its own: how it is started, and in which surroundings. */
import { fileURLToPath } from 'node:url';

/** @import { Workspace } from './workspace.js' */

export const command = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));

/**
 * Nothing is inherited but the search path.
 * @param {Workspace} workspace @param {string} modelUrl
 */
export function surroundings({ home }, modelUrl) {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'bench',
    IS_SANDBOX: '1',
  };
}
