/** Prepares arguments for `parseArgs`, which knows neither optional values nor several values after one flag. */
import { FLAGS, isFlagName, SPELLINGS, type Flag } from './flag-table.js';

/** What may be a further value of a list, so that a prompt after it stays a prompt. */
const FURTHER: Readonly<Record<string, RegExp>> = {
  allowedTools: /^([A-Z]\w*(\(.*\))?|mcp__\w+)([ ,].*)?$/s,
  disallowedTools: /^([A-Z]\w*(\(.*\))?|mcp__\w+)([ ,].*)?$/s,
  tools: /^[A-Z]\w*([ ,].*)?$/s,
  'mcp-config': /^(\{|\S+\.json$)/,
  'add-dir': /^(\.|~?\/)/,
};

/** `--allowedTools A B` becomes two flags with one value each; `--resume` without an id gets an empty one. */
export function spread(args: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const argument = args[i] ?? '';
    if (argument === '--') return [...out, ...args.slice(i)];
    const raw = argument.startsWith('--') ? argument.slice(2) : argument === '-r' ? 'resume' : '';
    const name = SPELLINGS[raw] ?? raw;
    if (!isFlagName(name)) {
      out.push(argument);
      continue;
    }
    const flag: Flag = FLAGS[name];
    const next = args[i + 1];
    if (flag.kind === 'optional') {
      const value = next !== undefined && !next.startsWith('-') ? next : '';
      if (value !== '') i++;
      out.push(`--${name}=${value}`);
      continue;
    }
    out.push(argument);
    if (flag.kind === 'switch' || next === undefined) continue;
    out.push(next);
    i++;
    const further = FURTHER[name];
    if (further === undefined) continue;
    while (further.test(args[i + 1] ?? '')) out.push(`--${name}=${args[++i] ?? ''}`);
  }
  return out;
}
