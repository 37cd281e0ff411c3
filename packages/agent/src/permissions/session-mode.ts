/** The mode of a session: the newest `mode` record, which permissions, notices and views all read. */
import type { Fold, Session } from '@sidenote/engine';
import type { Mode } from './contract.js';

export const MODES: readonly Mode[] = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'];

/** Fold: the mode as it was set last, and the last one that was not plan mode. Values that are no mode don't count. */
export const modeFold: Fold<{ readonly mode: Mode | undefined; readonly besidesPlan: Mode | undefined }> = {
  name: 'agent:mode',
  scope: 'session',
  on: ['state'],
  initial: () => ({ mode: undefined, besidesPlan: undefined }),
  step(state, record) {
    const mode = record.type === 'state' && record.key === 'mode' ? MODES.find((one) => one === record.value) : undefined;
    if (mode === undefined) return state;
    return { mode, besidesPlan: mode === 'plan' ? state.besidesPlan : mode };
  },
};

/** The mode that a session's records tell; undefined before the first. */
export function modeOfSession({ main }: Session): Mode | undefined {
  return main.transcript.read(modeFold).mode;
}

/** The mode of an agent that asked for another one than the session's: plan mode of the session holds for all. */
export function modeWithin(session: Mode, asked: Mode): Mode {
  return session === 'plan' ? 'plan' : asked;
}

/**
 * The mode that a stored session goes on with: its own. What runs everything unasked has to be asked for anew each time, so
 * `bypassPermissions` is not taken from a record.
 */
export function modeOnResume(stored: Mode | undefined, configured: Mode): Mode {
  return stored === undefined || stored === 'bypassPermissions' ? configured : stored;
}
