/** What each kind of context has said in a session, and what became of it with the newest request. */
import type { Collected, Fold } from '@sidenote/engine';

export type Said = {
  /** Messages that it was told in, abandoned ones included. */
  times: number;
  /** ISO 8601, UTC; what was told then, in a line. */
  last: { readonly at: string; readonly title: string } | undefined;
  /** With the newest request, when it told nothing and had a reason. */
  outcome: Pick<Collected, 'outcome' | 'why'> | undefined;
};

/** Fold: by kind. */
export const saidFold: Fold<Map<string, Said>> = {
  name: 'cli:reminders',
  scope: 'session',
  on: ['attachment', 'request'],
  initial: () => new Map(),
  step(state, record) {
    const of = (kind: string): Said => {
      const said = state.get(kind) ?? { times: 0, last: undefined, outcome: undefined };
      state.set(kind, said);
      return said;
    };
    if (record.type === 'attachment') {
      const said = of(record.kind);
      said.times++;
      said.last = { at: record.at, title: record.title };
    } else if (record.type === 'request' && record.purpose === 'turn') {
      for (const said of state.values()) said.outcome = undefined;
      for (const { kind, outcome, why } of record.collected)
        of(kind).outcome = outcome === 'new' ? undefined : { outcome, ...(why === undefined ? {} : { why }) };
    }
    return state;
  },
};
