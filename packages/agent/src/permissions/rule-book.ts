/** All rules of a session, in the three lists that they came in. */
import { parseRule } from './rule.js';
import type { Rule, RuleText } from './rule.js';

export type RuleList = 'deny' | 'ask' | 'allow';
export type RuleBook = {
  readonly deny: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly allow: readonly Rule[];
  /** Rules that could not be read, one line each. */
  readonly problems: string[];
};

export type RuleTexts = { readonly [list in RuleList]?: readonly RuleText[] };

export function readRules(texts: RuleTexts, where: { readonly cwd: string; readonly home: string }): RuleBook {
  const problems: string[] = [];
  const read = (list: RuleList) =>
    (texts[list] ?? []).flatMap((text) => {
      const parsed = parseRule(text, list, where);
      if (parsed.ok) return [parsed.rule];
      problems.push(parsed.message);
      return [];
    });
  return { deny: read('deny'), ask: read('ask'), allow: read('allow'), problems };
}

/** Whether a rule's tool name stands for this tool: `mcp__server` and `mcp__server__*` are all tools of a server. */
export function namesTool(rule: string, tool: string): boolean {
  if (rule === tool) return true;
  if (!rule.startsWith('mcp__')) return false;
  if (rule.endsWith('*')) return tool.startsWith(rule.slice(0, -1));
  return !rule.slice(5).includes('__') && tool.startsWith(`${rule}__`);
}
