/** The field `mcpServers` of an agent: names of servers that the session has, and servers of its own. */
import type { Json } from '@sidenote/engine';
import { isObject } from '../hooks/json.js';

export type AgentServers = {
  /** As their files call them. */
  readonly names: readonly string[];
  /** By name, as in `.mcp.json`; they are checked when they are started. */
  readonly own: Readonly<Record<string, Json>>;
};

/** A list of names and of tables of servers, such a table alone, or names with commas. Undefined: none of these. */
export function readServers(value: Json): AgentServers | undefined {
  const names: string[] = [];
  const own: Record<string, Json> = {};
  for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
    if (typeof item === 'string') names.push(...item.split(',').map((name) => name.trim()));
    else if (isObject(item)) Object.assign(own, item);
    else return undefined;
  }
  return { names: [...new Set(names)].filter((name) => name !== ''), own };
}
