/** What a sub-agent's thread is told, and what not, and which model its parent asks. */
import type { Fold, Ports, Thread } from '@sidenote/engine';
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

const modelFold: Fold<{ model: string | undefined }> = {
  name: 'subagents:model',
  scope: 'session',
  on: ['prefix', 'state'],
  initial: () => ({ model: undefined }),
  step: (state, record) => {
    if (record.type === 'prefix') return { model: record.model };
    return record.type === 'state' && record.key === 'model' && typeof record.value === 'string' ? { model: record.value } : state;
  },
};

/** The model that answers this thread now; undefined before its first request. */
export function modelOf({ transcript }: Thread): string | undefined {
  return transcript.read(modelFold).model;
}
