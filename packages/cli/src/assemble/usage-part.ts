/** What a session takes and may take: the port that kinds about usage read, and the limit at which the loop stops. */
import type { Reached } from '@sidenote/agent';
import { countText, type Session, type SessionUsage } from '@sidenote/engine';
import { numeric, type Flags } from '../flags/parse.js';
import { allSpending, spentUsd } from '../spending.js';
import type { Part, PartOptions } from './part.js';
import type { Setup } from './set-up.js';

type Limits = SessionUsage['limits'];

/** Of the command line before settings. */
export function limitsOf({ flags, loaded }: { readonly flags: Flags; readonly loaded: Setup['loaded'] }): Limits {
  const { usd: set, tokens, outputTokens } = loaded.settings.budget ?? {};
  const usd = numeric(flags, 'max-budget-usd') ?? set;
  return {
    ...(usd === undefined ? {} : { usd }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(outputTokens === undefined ? {} : { output: outputTokens }),
  };
}

export function usagePart({ setup, session, model }: Pick<PartOptions, 'setup' | 'session' | 'model'>): Part {
  const limits = limitsOf(setup);
  const isLimited = Object.keys(limits).length > 0;
  const usage = async (): Promise<SessionUsage> => {
    const open = session();
    if (isLimited && open !== undefined) await openFormer(open);
    return { ...usedBy(open, setup), limits };
  };
  const limit = async (): Promise<Reached | undefined> => reached(await usage(), setup.profile(model).price === null ? model : undefined);
  return {
    ports: { usage: { read: async () => ({ type: 'ready', value: await usage(), version: '' }) } },
    ...(isLimited ? { agent: { limit } } : {}),
  };
}

/** What agents of an earlier process took counts, too: their files are read once. */
async function openFormer(session: Session): Promise<void> {
  const open = new Set(session.threads.map(({ id }) => id));
  const former = session.agents.filter(({ thread }) => !open.has(thread));
  for (const { thread } of former) await session.thread(thread).catch(() => undefined);
}

function usedBy(session: Session | undefined, { spending }: Setup): Omit<SessionUsage, 'limits'> {
  const spent = allSpending((session?.threads ?? []).map(({ transcript }) => transcript.read(spending)));
  let [tokens, output] = [0, 0];
  for (const { usage } of spent.models.values()) {
    const { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
    tokens += input + (read ?? 0) + (written ?? 0) + usage.output_tokens;
    output += usage.output_tokens;
  }
  return { tokens, output, usd: spentUsd(spent) };
}

/** `unpriced`: a model whose price is not known. A limit that can't be held is reached: nobody should find out by the bill. */
function reached({ tokens, output, usd, limits }: SessionUsage, unpriced: string | undefined): Reached | undefined {
  if (limits.usd !== undefined && (usd === null || unpriced !== undefined))
    return {
      reason: 'max-budget-usd',
      text: `Stopped: the limit of $${limits.usd} can't be held, since the price of ${unpriced ?? 'a model'} is not known. The setting models gives it one.`,
    };
  if (limits.usd !== undefined && usd !== null && usd >= limits.usd)
    return {
      reason: 'max-budget-usd',
      text: `Stopped: the session has cost $${usd.toFixed(4)}, and its limit is $${limits.usd}. A higher limit (--max-budget-usd, budget.usd) lets it go on.`,
    };
  if (limits.tokens !== undefined && tokens >= limits.tokens)
    return {
      reason: 'max-budget-tokens',
      text: `Stopped: the session has taken ${countText(tokens)} tokens, and its limit is ${countText(limits.tokens)}. A higher budget.tokens lets it go on.`,
    };
  if (limits.output !== undefined && output >= limits.output)
    return {
      reason: 'max-budget-tokens',
      text: `Stopped: the session has written ${countText(output)} tokens, and its limit is ${countText(limits.output)}. A higher budget.outputTokens lets it go on.`,
    };
  return undefined;
}
