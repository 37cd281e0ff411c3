/** The mode of a session, from its records: what all ask for it, and what a stored session goes on with. */
import { existsSync } from 'node:fs';
import { modeFold, modeOfSession, modeOnResume, type Mode } from '@sidenote/agent';
import type { ModeNow, Ports, Session } from '@sidenote/engine';

/** What kinds of context read. */
export function modePort(mode: () => Mode, plan?: () => { readonly file: string; readonly tool?: string }): Required<Pick<Ports, 'mode'>> {
  const now = (): ModeNow => {
    const about = plan?.();
    return about === undefined ? { mode: mode() } : { mode: mode(), plan: { ...about, exists: existsSync(about.file) } };
  };
  return {
    mode: {
      read() {
        const value = now();
        return { type: 'ready', value, version: JSON.stringify(value) };
      },
    },
  };
}

/** Of a stored session that was opened: what was asked for now counts, else its own mode; also for what follows a plan. Gives a line for the person. */
export async function settleMode(
  session: Session,
  { configured, isAsked }: { readonly configured: Mode; readonly isAsked: boolean },
): Promise<string | undefined> {
  const stored = modeOfSession(session);
  const mode = isAsked ? configured : modeOnResume(stored, configured);
  if (mode === 'plan' && session.main.transcript.read(modeFold).besidesPlan === 'bypassPermissions') {
    const after = configured === 'plan' ? 'default' : configured;
    await session.set('mode', after);
    await session.set('mode', mode);
    return `the session had bypassPermissions before it planned, which has to be asked for each time: after the plan it goes on from ${after}`;
  }
  if (stored === mode) return undefined;
  await session.set('mode', mode);
  if (isAsked || stored === undefined) return undefined;
  return `the session was left in ${stored}, which has to be asked for each time: it goes on in ${mode}`;
}
