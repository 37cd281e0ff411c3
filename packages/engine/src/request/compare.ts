/** Two prefixes side by side: which section or tool differs, and at which byte. */
import type { Section, ToolSpec } from '../transcript/records.js';

/** One section or tool that is not the same in both. */
export type PrefixDrift = {
  readonly owner: { readonly type: 'section' | 'tool'; readonly name: string };
  /** `moved`: the same bytes at another place. */
  readonly change: 'changed' | 'added' | 'removed' | 'moved';
  /** Of the section's text, or of the tool's JSON, in UTF-8: the first one that differs. Zero unless it is `changed`. */
  readonly byte: number;
  /** What stands around that byte, before and now. */
  readonly before: string;
  readonly after: string;
};

export type HeadParts = { readonly system: readonly Section[]; readonly tools: readonly ToolSpec[] };

/** In the order of a request: tools, then sections, those that only stood before at their old place. */
export function compareHeads(before: HeadParts, after: HeadParts): readonly PrefixDrift[] {
  const tools = ({ tools: list }: HeadParts) => list.map((tool) => [tool.name, JSON.stringify(tool)] as const);
  const sections = ({ system }: HeadParts) => system.map(({ name, text }) => [name, text] as const);
  return [...compareLists('tool', tools(before), tools(after)), ...compareLists('section', sections(before), sections(after))];
}

type Named = readonly (readonly [name: string, text: string])[];

function compareLists(type: PrefixDrift['owner']['type'], before: Named, after: Named): readonly PrefixDrift[] {
  const now = new Map(after);
  const then = new Map(before);
  const common = (list: Named, other: ReadonlyMap<string, string>) => list.flatMap(([name]) => (other.has(name) ? [name] : []));
  const order = common(after, then);
  const moved = new Set(common(before, now).filter((name, at) => order[at] !== name));
  const gone = before.flatMap(([name, text]): readonly PrefixDrift[] =>
    now.has(name) ? [] : [{ owner: { type, name }, change: 'removed', byte: 0, before: excerpt(text, 0), after: '' }],
  );
  const rest = after.flatMap(([name, text]): readonly PrefixDrift[] => {
    const old = then.get(name);
    const owner = { type, name };
    if (old === undefined) return [{ owner, change: 'added', byte: 0, before: '', after: excerpt(text, 0) }];
    if (old !== text) return [{ owner, change: 'changed', ...firstDifference(old, text) }];
    return moved.has(name) ? [{ owner, change: 'moved', byte: 0, before: excerpt(old, 0), after: excerpt(text, 0) }] : [];
  });
  return [...gone, ...rest];
}

/** The first byte (UTF-8) at which two different texts part, and what stands around it. */
export function firstDifference(before: string, after: string): Pick<PrefixDrift, 'byte' | 'before' | 'after'> {
  let at = 0;
  while (at < before.length && at < after.length && before[at] === after[at]) at++;
  return { byte: bytesIn(before.slice(0, at), after.slice(0, at)), before: excerpt(before, at), after: excerpt(after, at) };
}

/** Half a character counts as the bytes that it shares with the other half: none are known, so it begins at its start. */
function bytesIn(...starts: readonly [string, string]): number {
  return Math.min(...starts.map((start) => new TextEncoder().encode(start.replace(/[\uD800-\uDBFF]$/, '')).length));
}

const AROUND = { before: 20, after: 40 } as const;

function excerpt(text: string, at: number): string {
  const from = Math.max(0, at - AROUND.before);
  const to = Math.min(text.length, at + AROUND.after);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).toWellFormed()}${to < text.length ? '…' : ''}`;
}
