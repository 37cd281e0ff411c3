/** What should not stand in text that a model is told: reminder tags, characters that nobody sees, secrets. Pure. */
import { hasTags } from '@sidenote/engine';
import { secretsIn } from '@sidenote/node';
import type { Finding } from './finding.js';

type Check = Pick<Finding, 'rule' | 'severity' | 'message'> & { found(line: string): boolean };

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
];

/** `told` is what a model gets, `source` the file that it was made from: lines are those of the file. Each rule once per line. */
export function textFindings(file: string, told: string, source: string | undefined): readonly Finding[] {
  const lines = source?.split(/\r\n?|\n/) ?? [];
  return told.split('\n').flatMap((text) => {
    const found: readonly Omit<Check, 'found'>[] = [...CHECKS.filter((check) => check.found(text)), ...secretsIn(text).map(secretOf)];
    if (found.length === 0) return [];
    const at = lines.findIndex((line) => line.includes(text));
    return found.map(({ rule, severity, message }) => ({ rule, severity, file, ...(at < 0 ? {} : { line: at + 1 }), message }));
  });
}

function secretOf(name: string): Omit<Check, 'found'> {
  return { rule: 'secret', severity: 'error', message: `looks like ${name}, and every session sends it; take it out, and replace the key` };
}
