/** Search over the names and descriptions of tools: exact names, or words weighed by where they stand. */
import type { AnyTool } from '../tools/tool.js';

/** What is looked at, made once per tool. */
type Entry = {
  readonly name: string;
  readonly parts: ReadonlySet<string>;
  /** A space before each of its words. */
  readonly description: string;
};

const entries = new WeakMap<AnyTool, Entry>();

function entryOf(tool: AnyTool): Entry {
  const known = entries.get(tool);
  if (known !== undefined) return known;
  const name = tool.spec.name.toLowerCase();
  const entry = {
    name,
    parts: new Set(name.split(/[_-]+/)),
    description: ` ${tool.spec.description.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')}`,
  };
  entries.set(tool, entry);
  return entry;
}

const WEIGHTS = { wholePart: 10, inName: 6, inDescription: 2 } as const;

export type FoundTools = {
  /** Best first. */ readonly tools: readonly AnyTool[];
  /** Exact names that no tool has. */ readonly missing: readonly string[];
};

/** `select:a,b` takes exact names; else every word counts, one with a `+` before it must be there. */
export function searchTools(tools: readonly AnyTool[], query: string): FoundTools {
  const names = /^\s*select:([^]*)$/i.exec(query)?.[1];
  return names === undefined ? { tools: byWords(tools, query), missing: [] } : byNames(tools, names);
}

function byNames(tools: readonly AnyTool[], list: string): FoundTools {
  const wanted = [...new Set(list.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));
  return {
    tools: wanted.flatMap((name) => byName.get(name) ?? []),
    missing: wanted.filter((name) => !byName.has(name)),
  };
}

function byWords(tools: readonly AnyTool[], query: string): readonly AnyTool[] {
  const words = [...new Set(query.toLowerCase().split(/[\s,]+/))].filter((word) => word !== '' && word !== '+');
  const terms = words.map((word) => (word.startsWith('+') ? { word: word.slice(1), must: true } : { word, must: false }));
  const hits: { readonly tool: AnyTool; readonly score: number }[] = [];
  for (const tool of tools) {
    const score = scoreOf(entryOf(tool), terms);
    if (score > 0) hits.push({ tool, score });
  }
  hits.sort((a, b) => b.score - a.score || (a.tool.spec.name < b.tool.spec.name ? -1 : 1));
  return hits.map(({ tool }) => tool);
}

function scoreOf(entry: Entry, terms: readonly { readonly word: string; readonly must: boolean }[]): number {
  let sum = 0;
  for (const { word, must } of terms) {
    let score = 0;
    if (entry.parts.has(word)) score = WEIGHTS.wholePart;
    else if (entry.name.includes(word)) score = WEIGHTS.inName;
    if (entry.description.includes(startsWord(word))) score += WEIGHTS.inDescription;
    if (must && score === 0) return 0;
    sum += score;
  }
  return sum;
}

/** A word counts from its start; scripts without spaces have none. */
const startsWord = (word: string): string => (/^[\x20-\x7e]+$/.test(word) ? ` ${word}` : word);
