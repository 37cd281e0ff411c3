/** What a sub-agent's thread is told, and what not. */
import type { Ports } from '@sidenote/engine';
import type { AgentType } from './agent-type.js';
import type { Workplace } from './contract.js';

const NO_MEMBER = 'it is no member of a team';

/** Kinds that are off in it: a team's belong to its members. */
export function offOf(type: AgentType | undefined, isMember: boolean): Readonly<Record<string, string>> {
  return { ...(isMember ? {} : { team_context: NO_MEMBER, teammate_mailbox: NO_MEMBER }), ...type?.off };
}

/** The ports of its place, with its own critical reminder: never its parent's. */
export function portsOf(type: AgentType | undefined, place: Workplace, member: Partial<Ports> = {}): Partial<Ports> {
  const value = type?.criticalReminder ?? '';
  return { ...place.ports, ...member, criticalReminder: { read: () => ({ type: 'ready', value, version: value }) } };
}
