/** What is wrong with settings: places that are no JSON, keys that don't exist, values of the wrong type or without effect, rules that can't be read. */
import { parseRule } from '@sidenote/agent';
import type { Setup } from '../../assemble/set-up.js';
import type { Finding } from './finding.js';

/** A notice begins with its file and line, where it has them. */
function placed(notice: string): Pick<Finding, 'message'> & Partial<Pick<Finding, 'file' | 'line'>> {
  const [, file, line, message] = /^(\/[^:]+|[A-Z]:[^:]+)(?::(\d+))?: ([^]*)$/.exec(notice) ?? [];
  if (file === undefined || message === undefined) return { message: notice };
  return { file, ...(line === undefined ? {} : { line: Number(line) }), message };
}

export function settingsFindings({ io, loaded, notices }: Pick<Setup, 'io' | 'loaded' | 'notices'>): readonly Finding[] {
  const { warnings } = loaded;
  // That a folder is not trusted yet is no fault of its settings.
  const faults = warnings
    .filter(({ type }) => type !== 'untrusted')
    .map(({ type, file, line, message }): Finding => {
      const severity = type === 'unknown-key' ? 'warning' : 'error';
      return { rule: `settings-${type}`, severity, file, ...(line === undefined ? {} : { line }), message: placed(message).message };
    });
  const others = notices.filter((line) => !warnings.some(({ message }) => line.startsWith(message)));
  return [
    ...faults,
    ...ruleFindings({ io, loaded }),
    ...others.map((line): Finding => ({ rule: 'settings-idle', severity: 'warning', file: 'settings', ...placed(line) })),
  ];
}

/** A rule that is left out allows, asks and forbids nothing. */
function ruleFindings({ io, loaded }: Pick<Setup, 'io' | 'loaded'>): readonly Finding[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (loaded.settings.permissions?.[list] ?? []).flatMap((text, index): readonly Finding[] => {
      const parsed = parseRule(text, list, io);
      const file = loaded.origins.get(`permissions.${list}.${index}`)?.file ?? 'settings';
      return parsed.ok ? [] : [{ rule: 'settings-rule', severity: 'error', file, message: parsed.message }];
    }),
  );
}
