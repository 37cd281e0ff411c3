/** `/cost`: tokens and dollars of this session per model, and what the cache was to give and gave. */
import { accountOf, countText, type Account } from '@sidenote/engine';
import type { Conversation } from '../conversation.js';
import { spentUsd } from '../spending.js';
import { clean } from '../terminal/clean.js';
import type { Command } from './command.js';

/** `$0.0123`; `no price` when it is not known. */
function money(usd: number | null): string {
  return usd === null ? 'no price' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

const count = (value: number | null): string => countText(value ?? 0);

export const costCommand: Command = {
  name: 'cost',
  summary: 'tokens and dollars of this session, and what its cache gave',
  async run({ conversation }) {
    // What agents of an earlier process took is in their own files.
    for (const { thread } of conversation.session.agents) await conversation.session.thread(thread).catch(() => undefined);
    const { models } = conversation.spent;
    if (models.size === 0) return { type: 'text', text: 'nothing was spent yet' };
    const accounts = accountOf(conversation.session.main.transcript, (model) => conversation.profileFor(model));
    const rows = [...models].map(([model, { responses, usage, usd }]) =>
      [
        `${model}: ${money(usd)} in ${responses} ${responses === 1 ? 'response' : 'responses'}`,
        `  input ${count(usage.input_tokens)} · cache read ${count(usage.cache_read_input_tokens)} · cache written ${count(usage.cache_creation_input_tokens)} · output ${count(usage.output_tokens)} tokens`,
        ...predictedRow(accounts.filter((account) => account.model === model)),
      ].join('\n'),
    );
    return { type: 'text', text: [...rows, ...byAgent(conversation), ...differences(accounts)].join('\n') };
  },
};

/** Where there were sub-agents: what each of them took, and the main thread. */
function byAgent({ session, spentBy }: Conversation): readonly string[] {
  if (session.agents.length === 0) return [];
  const rows = session.threads.flatMap((thread) => {
    const spent = spentBy(thread);
    const all = [...spent.models.values()];
    if (all.length === 0) return [];
    const title = thread.agent === null ? 'main thread' : (thread.agent.name ?? `${thread.agent.agent} ${thread.id}`);
    const [responses, output] = [
      all.reduce((sum, one) => sum + one.responses, 0),
      all.reduce((sum, one) => sum + one.usage.output_tokens, 0),
    ];
    return [
      `  ${clean(title)}: ${money(spentUsd(spent))} in ${responses} ${responses === 1 ? 'response' : 'responses'}, ${count(output)} tokens of output`,
    ];
  });
  return ['by agent:', ...rows];
}

/** What the cache was to give, beside what it gave. */
function predictedRow(accounts: readonly Account[]): readonly string[] {
  if (accounts.length === 0) return [];
  const sum = (of: (account: Account) => number): string => count(accounts.reduce((total, account) => total + of(account), 0));
  return [
    `  predicted: cache read ${sum(({ predicted }) => predicted.read)} · written ${sum(({ predicted }) => predicted.write)}; reported: read ${sum(({ reported }) => reported.read)} · written ${sum(({ reported }) => reported.write)} · neither ${sum(({ reported }) => reported.fresh)}`,
  ];
}

/** Differences that are named; older ones are counted. */
const MOST = 8;

function differences(accounts: readonly Account[]): readonly string[] {
  const found = accounts.flatMap(({ at, difference }) => (difference === null ? [] : [{ at, ...difference }]));
  if (found.length === 0) return accounts.length === 0 ? [] : ['the cache gave what was predicted'];
  const named = found.slice(-MOST);
  return [
    'where the cache gave something else than predicted:',
    ...(found.length > named.length ? [`  ${found.length - named.length} earlier ones`] : []),
    ...named.map(
      ({ at, type, text, usd }) =>
        `  ${at.slice(11, 19)} UTC, ${type}: ${text}${usd === null ? '' : ` (${usd < 0 ? '−' : '+'}${money(Math.abs(usd))})`}`,
    ),
  ];
}
