/** What is wrong with skills and commands: fields that have no effect or break the specification, and files that can't be had. */
import type { Catalogue } from '@sidenote/node';
import type { Finding } from './finding.js';

/** What is switched off is meant to be so. */
export function skillFindings({ skills, left }: Pick<Catalogue, 'skills' | 'left'>): readonly Finding[] {
  const own = [...skills.values()].flatMap(({ path, problems }) =>
    problems.map(({ severity, line, message }): Finding => ({ rule: 'skill', severity, file: path, line, message })),
  );
  const others = left
    .filter(({ status }) => status !== 'off')
    .map(({ name, path, status, reason }): Finding => ({
      rule: `skill-${status}`,
      severity: status === 'shadowed' ? 'warning' : 'error',
      file: path,
      message: `${name} is not offered: ${reason}`,
    }));
  return [...own, ...others];
}
