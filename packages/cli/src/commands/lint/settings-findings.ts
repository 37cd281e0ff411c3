/** What is wrong with settings: places that are no JSON, keys that don't exist, values of the wrong type or without effect. */
import type { Setup } from '../../assemble/set-up.js';
import type { Finding } from './finding.js';

/** A notice begins with its file and line, where it has them. */
function placed(notice: string): Pick<Finding, 'message'> & Partial<Pick<Finding, 'file' | 'line'>> {
  const [, file, line, message] = /^(\/[^:]+|[A-Z]:[^:]+)(?::(\d+))?: ([^]*)$/.exec(notice) ?? [];
  if (file === undefined || message === undefined) return { message: notice };
  return { file, ...(line === undefined ? {} : { line: Number(line) }), message };
}

export function settingsFindings({ loaded, notices }: Pick<Setup, 'loaded' | 'notices'>): readonly Finding[] {
  const { warnings } = loaded;
  // That a folder is not trusted yet is no fault of its settings.
  const faults = warnings
    .filter(({ type }) => type !== 'untrusted')
    .map(({ type, file, line, message }): Finding => {
      const severity = type === 'unknown-key' ? 'warning' : 'error';
      return { rule: `settings-${type}`, severity, file, ...(line === undefined ? {} : { line }), message: placed(message).message };
    });
  const others = notices.filter((line) => !warnings.some(({ message }) => line.startsWith(message)));
  return [...faults, ...others.map((line): Finding => ({ rule: 'settings-idle', severity: 'warning', file: 'settings', ...placed(line) }))];
}
