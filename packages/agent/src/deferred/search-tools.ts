/** Search over the names and descriptions of tools: exact names, or words weighed by where they stand. */
import type { AnyTool } from '../tools/tool.js';

/** What is looked at, made once per tool: lower case, and in the description a space before each word. */
type Entry = { readonly name: string; readonly description: string; readonly both: string };

const entries = new WeakMap<AnyTool, Entry>();

function entryOf(tool: AnyTool): Entry {
  const known = entries.get(tool);
  if (known !== undefined) return known;
  const name = tool.spec.name.toLowerCase();
  const description = ` ${tool.spec.description.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')}`;
  const entry = { name, description, both: `${name}${description}` };
  entries.set(tool, entry);
  return entry;
}

type Term = {
  readonly word: string;
  /** As it stands in a description: from the start of a word; scripts without spaces have none. */
  readonly inText: string;
  readonly wholePart: RegExp;
  readonly must: boolean;
};

const WEIGHTS = { wholePart: 10, inName: 6, inDescription: 2 } as const;

export type FoundTools = {
  /** Best first; equally good ones in the order in which they were given. */
  readonly tools: readonly AnyTool[];
  /** How many there are in all. */
  readonly count: number;
  /** Exact names that no tool has. */
  readonly missing: readonly string[];
};

/** `select:a,b` takes exact names; else every word counts, one with a `+` before it must be there. At most `most` are given. */
export function searchTools(tools: readonly AnyTool[], query: string, { most }: { readonly most: number }): FoundTools {
  const names = /^\s*select:([^]*)$/i.exec(query)?.[1];
  return names === undefined ? byWords(tools, query, most) : byNames(tools, names);
}

function byNames(tools: readonly AnyTool[], list: string): FoundTools {
  const wanted = [...new Set(list.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));
  const found = wanted.flatMap((name) => byName.get(name) ?? []);
  return { tools: found, count: found.length, missing: wanted.filter((name) => !byName.has(name)) };
}

/** There are few different scores, so nothing has to be sorted but these. */
function byWords(tools: readonly AnyTool[], query: string, most: number): FoundTools {
  const terms = termsOf(query);
  const byScore = new Map<number, AnyTool[]>();
  let count = 0;
  for (const tool of tools) {
    const score = scoreOf(entryOf(tool), terms);
    if (score === 0) continue;
    count++;
    const equal = byScore.get(score);
    if (equal === undefined) byScore.set(score, [tool]);
    else equal.push(tool);
  }
  const best: AnyTool[] = [];
  for (const [, equal] of [...byScore].sort(([a], [b]) => b - a)) {
    best.push(...equal.slice(0, most - best.length));
    if (best.length >= most) break;
  }
  return { tools: best, count, missing: [] };
}

function termsOf(query: string): readonly Term[] {
  const given = new Set(query.toLowerCase().split(/[\s,]+/));
  return [...given].flatMap((text): readonly Term[] => {
    const must = text.startsWith('+');
    const word = must ? text.slice(1) : text;
    if (word === '') return [];
    const inText = /^[\x20-\x7e]+$/.test(word) ? ` ${word}` : word;
    const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return [{ word, inText, wholePart: new RegExp(`(?:^|[_-])${literal}(?:[_-]|$)`), must }];
  });
}

function scoreOf({ name, description, both }: Entry, terms: readonly Term[]): number {
  let sum = 0;
  for (const { word, inText, wholePart, must } of terms) {
    let score = 0;
    // Most tools have nothing of a word, and one look tells.
    if (both.includes(word)) {
      if (name.includes(word)) score = wholePart.test(name) ? WEIGHTS.wholePart : WEIGHTS.inName;
      if (description.includes(inText)) score += WEIGHTS.inDescription;
    }
    if (must && score === 0) return 0;
    sum += score;
  }
  return sum;
}
