/** One permission rule as people write it: `Bash(npm run test:*)`, `Read(./src/**)`, `mcp__server__tool`, `Agent(Explore)`. */
import { currentToolName } from '@sidenote/node';
import { pathPattern } from './path-pattern.js';
import type { PathPattern } from './path-pattern.js';

/** A rule with the folder that `/x` in it counts from (the project of its settings file; default: cwd), and the file that it stands in. */
export type RuleText = string | { readonly rule: string; readonly base: string; readonly file?: string };

export type Rule = { readonly text: string; readonly tool: string } & (
  | { readonly type: 'tool' }
  /** What stands in the brackets: read as a pattern when a command is judged. */
  | { readonly type: 'command'; readonly spec: string }
  | { readonly type: 'path'; readonly pattern: PathPattern }
  /** One input of the call; `*` in the value stands for anything. */
  | { readonly type: 'input'; readonly key: string; readonly match: RegExp }
);
export type ParsedRule = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly message: string };

const pathTools = new Set(['Read', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'NotebookRead', 'Glob', 'Grep', 'LS']);
const subjects: Readonly<Record<string, string>> = { Agent: 'subagent_type', Skill: 'skill' };
const globOf = (text: string) =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^]*')}$`,
  );

/** Reads a rule. `list` decides how far its paths reach: only allow rules are taken strictly. */
export function parseRule(
  given: RuleText,
  list: 'allow' | 'ask' | 'deny',
  where: { readonly cwd: string; readonly home: string },
): ParsedRule {
  const text = (typeof given === 'string' ? given : given.rule).trim();
  const base = typeof given === 'string' ? where.cwd : given.base;
  const match = /^([A-Za-z][\w*.-]*)(?:\(([^]*)\))?$/.exec(text);
  const place = typeof given === 'string' || given.file === undefined ? '' : ` of ${given.file}`;
  const bad = (why: string): ParsedRule => ({ ok: false, message: `The permission rule "${text}"${place} was left out: ${why}.` });
  if (match === null) return bad('it is not of the form Tool or Tool(what)');
  const tool = currentToolName(match[1] ?? '');
  const spec = match[2];
  if (spec === undefined || spec.trim() === '' || spec.trim() === '*') return { ok: true, rule: { text, tool, type: 'tool' } };
  if (tool === 'Bash') return { ok: true, rule: { text, tool, type: 'command', spec } };
  if (pathTools.has(tool)) {
    const pattern = pathPattern(spec.trim(), { ...where, base }, { strict: list === 'allow' });
    return pattern === null ? bad('its path pattern is not understood') : { ok: true, rule: { text, tool, type: 'path', pattern } };
  }
  if (Object.hasOwn(subjects, tool)) {
    // `deploy *` and `deploy:*` are the skill with whatever words behind it; those stand in another input.
    const name = spec.trim().replace(/(?:\s|:)\s*\*$/, '');
    return { ok: true, rule: { text, tool, type: 'input', key: subjects[tool] ?? '', match: globOf(name) } };
  }
  const pair = /^(\w+):([^]*)$/.exec(spec.trim());
  if (pair === null) return bad(`rules for ${tool} take no such part; ${tool}(input:value) is known`);
  return { ok: true, rule: { text, tool, type: 'input', key: pair[1] ?? '', match: globOf(pair[2] ?? '') } };
}
