/** What is wrong with definitions of agents: files that give none, and fields without effect. */
import type { AgentProblem } from '@sidenote/node';
import type { Finding } from './finding.js';

/** What keeps an agent from being there is an error. */
export function agentFindings({ problems }: { readonly problems: readonly AgentProblem[] }): readonly Finding[] {
  return problems.map(({ file, line, message, fatal }): Finding => ({
    rule: 'agent',
    severity: fatal === true ? 'error' : 'warning',
    file,
    line,
    message,
  }));
}
