/** What should not stand in text that a model is told: reminder tags, characters that nobody sees, secrets. Pure. */
import { hasTags } from '@sidenote/engine';
import type { Finding } from './finding.js';

type Check = Pick<Finding, 'rule' | 'severity' | 'message'> & { found(line: string): boolean };

/** Shapes of keys that providers publish, each long enough that no word has it by chance. */
const SECRETS: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['an Anthropic key', /\bsk-ant-[\w-]{20,}/],
  ['an OpenAI key', /\bsk-(?:proj-)?[A-Za-z0-9_-]{32,}/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,})/],
  ['a GitLab token', /\bglpat-[\w-]{20,}/],
  ['a Slack token', /\bxox[abeoprs]-[\w-]{20,}/],
  ['a Google key', /\bAIza[\w-]{35}\b/],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}/],
];

/** Not those that letters of some scripts and emoji need. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

const CHECKS: readonly Check[] = [
  {
    rule: 'tag',
    severity: 'warning',
    message: 'looks like a reminder of the client: it is sent so that it can’t be taken for one; write it in other words',
    found: hasTags,
  },
  {
    rule: 'invisible',
    severity: 'warning',
    message: 'holds characters that nobody sees and a model reads; take them out',
    found: (line) => INVISIBLE.test(line),
  },
  ...SECRETS.map(([name, shape]): Check => ({
    rule: 'secret',
    severity: 'error',
    message: `looks like ${name}, and every session sends it; take it out, and replace the key`,
    found: (line) => shape.test(line),
  })),
];

/** `told` is what a model gets, `source` the file that it was made from: lines are those of the file. Each rule once per line. */
export function textFindings(file: string, told: string, source: string | undefined): readonly Finding[] {
  const lines = source?.split(/\r\n?|\n/) ?? [];
  return told.split('\n').flatMap((text) => {
    const found = CHECKS.filter((check) => check.found(text));
    if (found.length === 0) return [];
    const at = lines.findIndex((line) => line.includes(text));
    return found.map(({ rule, severity, message }) => ({ rule, severity, file, ...(at < 0 ? {} : { line: at + 1 }), message }));
  });
}
