/** One request against the one before it, as text. */
import { countText, type Account, type RequestDiff } from '@sidenote/engine';

export type ComparedRequest = {
  readonly session: string;
  /** From 1; of so many requests in this session. */
  readonly number: number;
  readonly of: number;
  readonly diff: RequestDiff;
  /** What its cache was to give and gave; null before its answer, and with servers that report none. */
  readonly account: Account | null;
};

const place = ({ section, message, block }: RequestDiff['appended'][number]['at']): string =>
  section === 'messages' ? `messages[${message}].content[${block}]` : `${section}[${block}]`;
const owned = ({ type, name }: { readonly type: string; readonly name: string }): string => `${type} ${name}`;
const dollars = (usd: number | null): string => (usd === null ? '' : `, $${usd.toFixed(4)}`);

/** Lines for a person. */
export function diffText({ session, number, of, diff, account }: ComparedRequest): string {
  return [
    `session ${session}, request ${number} of ${of}, ${diff.at}`,
    against(diff),
    ...section('not as it was', changes(diff)),
    ...section('appended', appended(diff)),
    ...section('cache', costs(diff, account)),
  ].join('\n');
}

function against({ before, cause, newWindow }: RequestDiff): string {
  if (before === null) return 'the first of its chain: there is nothing before it';
  const window = newWindow ? '; a compaction lies between' : '';
  return `${cause === null ? 'the same prefix as the request before it' : `a new prefix, declared by its cause: ${cause}`}${window}`;
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

function changes({ changed, damaged }: RequestDiff): readonly string[] {
  return [
    ...changed.flatMap(({ owner, change, at, byte, before, after }) => [
      `${owned(owner)} was ${change}${change === 'changed' ? ` from byte ${byte} on` : ''} (${place(at)})`,
      ...(before === '' ? [] : [`  - ${JSON.stringify(before)}`]),
      ...(after === '' ? [] : [`  + ${JSON.stringify(after)}`]),
    ]),
    ...(damaged === null
      ? []
      : [`the stored lines no longer give what was sent, from ${place(damaged.at)} on (${damaged.owner}): they were edited, or lost`]),
  ];
}

/** Runs of one owner in one block are one line. */
function appended(diff: RequestDiff): readonly string[] {
  const rows = new Map<string, { characters: number; tokens: number }>();
  for (const { owner, at, characters, tokens } of diff.appended) {
    const key = `${place(at)}  ${owned(owner)}`;
    const row = rows.get(key) ?? { characters: 0, tokens: 0 };
    rows.set(key, { characters: row.characters + characters, tokens: row.tokens + tokens });
  }
  return [...rows].map(([key, { characters, tokens }]) => `${key}: ${countText(characters)} characters, ≈${countText(tokens)} tokens`);
}

function costs({ rewritten }: RequestDiff, account: Account | null): readonly string[] {
  return [
    ...(rewritten.tokens === 0
      ? []
      : [`≈${countText(rewritten.tokens)} tokens that had been sent are written once more${dollars(rewritten.usd)}`]),
    ...(account === null
      ? []
      : [
          `predicted: ${countText(account.predicted.read)} read, ${countText(account.predicted.write)} written`,
          `reported: ${countText(account.reported.read)} read, ${countText(account.reported.write)} written, ${countText(account.reported.fresh)} neither`,
        ]),
    ...(account?.difference === null || account === null
      ? []
      : [`${account.difference.type}: ${account.difference.text}${dollars(account.difference.usd)}`]),
    ...(account?.providerReason == null ? [] : [`the provider says: ${account.providerReason}`]),
  ];
}
