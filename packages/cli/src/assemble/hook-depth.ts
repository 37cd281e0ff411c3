/** Sessions that hooks start, counted through the environment: one whose own hooks start the next would never come to an end. */
import { UsageError } from '../usage-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

const NAME = 'SIDENOTE_HOOK_DEPTH';
/** A hook may ask a session, and one of its hooks another. */
const MOST = 2;

/** 0: no hook has started this. */
function depthOf(env: Environment): number {
  const depth = Number(env[NAME]);
  return Number.isSafeInteger(depth) && depth > 0 ? depth : 0;
}

/** What hooks of this session find in their environment. */
export const deeper = (env: Environment): Environment => ({ ...env, [NAME]: String(depthOf(env) + 1) });

/** @throws {UsageError} for a session with hooks that lies too deep. Without its hooks it would do what they forbid. */
export function mustNotRecur(env: Environment): void {
  const depth = depthOf(env);
  if (depth > MOST)
    throw new UsageError(
      `hooks have started ${depth} sessions inside each other, and this one has hooks, too: it was not begun. --settings '{"disableAllHooks": true}' begins one without`,
    );
}
