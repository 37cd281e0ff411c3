/** A team: the main agent leads, named agents are its members, and each has a mailbox that outlives the process. */
import type { Id, Ports, Session } from '@sidenote/engine';
import type { Mailboxes } from '@sidenote/node';
import type { Post } from '../subagents/contract.js';

export const LEAD = 'lead';

export type TeamOptions = {
  readonly name: string;
  readonly mailboxes: Mailboxes;
  readonly session: () => Session;
  /** What workers can use, for a lead that can't look itself. */
  readonly workerTools?: () => readonly string[];
  /** Lets a member that has ended read its mail. */
  readonly wake: (name: string) => Promise<void>;
  /** When a member began to work last, in milliseconds since the epoch: mail from then on may have come too late for it. */
  startedAt(name: string): number;
  /** The lead has mail. */
  news?(): void;
};

export interface Team {
  /** Ports of the lead, or of a member. */
  ports(self: string): Pick<Ports, 'team' | 'mailbox'>;
  /** A named agent is a member from now on. */
  join(member: { readonly name: string; readonly role: string }): Promise<void>;
  /** For SendMessage. Undefined: the receiver is no member. */
  readonly post: Post;
  /** A member has ended: the lead finds that, and its answer, in its mailbox. */
  idle(member: { readonly name: string; readonly state: string; readonly answer: string }): Promise<void>;
}

export function createTeam(options: TeamOptions): Team {
  const { name, mailboxes, session, workerTools, wake, startedAt, news } = options;
  /** Named agents of the session, an earlier process's included. */
  const members = (): readonly { readonly name: string; readonly role: string }[] => [
    { name: LEAD, role: 'leads the team and speaks with the user' },
    ...session().agents.flatMap((agent) => (agent.name === undefined ? [] : [{ name: agent.name, role: agent.agent }])),
  ];
  const deliver = async (from: string, to: string, text: string): Promise<void> => {
    await mailboxes.send({ from, to, text });
    if (to === LEAD) await wakeLead(from);
    else await wake(to);
  };
  const wakeLead = async (from: string): Promise<Id> => {
    const id = await session().notify({ text: `There is mail from ${from}.`, trust: 'third-party', wake: true });
    news?.();
    return id;
  };
  const nameOf = (sender: string): string => (sender === 'main' ? LEAD : sender);

  return {
    ports: (self) => ({
      team: {
        read: () => ({
          type: 'ready',
          value: { name, self, members: members(), ...(self === LEAD && workerTools !== undefined ? { workerTools: workerTools() } : {}) },
          version: '',
        }),
      },
      mailbox: mailboxes.inbox(self),
    }),
    join: () => mailboxes.keepMembers(members()),
    async post({ from, to, text }) {
      const sender = nameOf(from);
      const known = members().map((member) => member.name);
      const receivers = to === '*' ? known.filter((one) => one !== sender) : known.filter((one) => one === nameOf(to));
      if (receivers.length === 0 || receivers.includes(sender)) return undefined;
      for (const receiver of receivers) await deliver(sender, receiver, text);
      return `In the mailbox of ${receivers.join(', ')}.`;
    },
    async idle({ name: member, state, answer }) {
      const since = startedAt(member);
      await deliver(member, LEAD, `I am idle now (${state}).\n${answer}`);
      const left = await mailboxes.inbox(member).read(new AbortController().signal);
      if (left.type === 'ready' && left.value.some(({ at }) => Date.parse(at) >= since)) await wake(member);
    },
  };
}
