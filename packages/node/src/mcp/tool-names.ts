/** Names of MCP tools as a provider takes them: `mcp__server__tool`, letters, digits, `_` and `-`, at most 64 characters. */
import { digestOf } from '../files/digest.js';

/** Source: messages-api, tool definitions (`^[a-zA-Z0-9_-]{1,64}$`), 2026-08-22. */
const LONGEST = 64;
const LONGEST_SERVER = 28;

/** One name, cut with a digest of the whole where it is too long. */
export function cleanName(name: string, longest: number): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  return clean.length <= longest ? clean || '_' : `${clean.slice(0, longest - 9)}_${digestOf(name).slice(0, 8)}`;
}

/** Without a double underscore, which ends a server's name. */
const serverName = (name: string): string => cleanName(name.replace(/_{2,}/g, '_').replace(/^_|_$/g, ''), LONGEST_SERVER);

export type Named = { readonly names: ReadonlyMap<string, string>; /** One line each. */ readonly notes: readonly string[] };

/** Names for all servers of a session, by their names in files. Which one keeps its name doesn't depend on the order. */
export function serverNames(servers: readonly string[]): Named {
  return distinct(servers, serverName, LONGEST_SERVER);
}

/** Names for all tools of a server, by the names it gives them. */
export function toolNames(server: string, tools: readonly string[]): Named {
  const longest = LONGEST - `mcp__${server}__`.length;
  const { names, notes } = distinct(tools, (tool) => cleanName(tool, longest), longest);
  return { names: new Map([...names].map(([tool, name]) => [tool, `mcp__${server}__${name}`])), notes };
}

function distinct(all: readonly string[], clean: (name: string) => string, longest: number): Named {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const notes: string[] = [];
  for (const name of [...new Set(all)].toSorted()) {
    const first = clean(name);
    let free = first;
    for (let n = 2; taken.has(free); n++) free = `${first.slice(0, longest - String(n).length - 1)}_${n}`;
    if (free !== first) notes.push(`${JSON.stringify(name)} is called ${free} here, since another one is called ${first}`);
    taken.add(free);
    names.set(name, free);
  }
  return { names, notes };
}
