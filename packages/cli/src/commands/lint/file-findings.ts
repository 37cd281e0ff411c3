/** What is wrong with instruction files as they were found: by status, by text, and among each other. */
import type { ExplainedFile } from '@sidenote/node';
import type { Finding } from './finding.js';
import { textFindings } from './text-findings.js';

const ERRORS: readonly string[] = ['missing', 'broken', 'unreadable', 'unusable', 'too-large', 'too-deep', 'too-many'];
/** As someone wants it to be. */
const WANTED: readonly string[] = ['excluded'];

export type FileFindingsOptions = {
  /** Text of a file as it lies on the disk; undefined when there is none. */
  source(path: string): Promise<string | undefined>;
  /** Files of the project, absolute, that rules could be for; undefined when they can't be listed. */
  projectFiles(): Promise<readonly string[] | undefined>;
  /** The project's root: rules of it are meant for its files. */
  readonly root: string;
};

export async function fileFindings(files: readonly ExplainedFile[], options: FileFindingsOptions): Promise<readonly Finding[]> {
  const texts = new Map<string, string>();
  const findings: Finding[] = [];
  for (const file of files) {
    findings.push(...statusFindings(file), ...twinFindings(file, texts));
    if (file.text !== '') findings.push(...textFindings(file.path, file.text, await options.source(file.path)));
  }
  return [...findings, ...(await idleRules(files, options))];
}

function statusFindings({ path, status, warning, from }: ExplainedFile): readonly Finding[] {
  if (warning === undefined || WANTED.includes(status)) return [];
  const isTold = ['loaded', 'scoped', 'nested'].includes(status);
  const place =
    !isTold && from?.file !== undefined ? { file: from.file, ...(from.line === undefined ? {} : { line: from.line }) } : { file: path };
  return [{ rule: isTold ? 'odd-file' : status, severity: ERRORS.includes(status) ? 'error' : 'warning', ...place, message: warning }];
}

/** Equal text twice takes room twice, and one of the two will not be kept up to date. */
function twinFindings({ path, text, status, reason }: ExplainedFile, texts: Map<string, string>): readonly Finding[] {
  const twin = texts.get(text);
  if (text !== '' && twin === undefined) texts.set(text, path);
  if (status === 'shadowed' && reason.startsWith('the same text')) {
    return [{ rule: 'duplicate', severity: 'warning', file: path, message: `has ${reason}, and is not told; keep one of them` }];
  }
  if (text === '' || twin === undefined) return [];
  return [{ rule: 'duplicate', severity: 'warning', file: path, message: `has the same text as ${twin}; keep one of them, or import it` }];
}

/** Rules of this project, not those a person has for many. `paths: []` is meant to match nothing. */
async function idleRules(files: readonly ExplainedFile[], { projectFiles, root }: FileFindingsOptions): Promise<readonly Finding[]> {
  const rules = files.filter(
    ({ match, path, scope, reason }) =>
      match !== undefined && scope !== 'user' && scope !== 'managed' && path.startsWith(`${root}/`) && !reason.includes('it names none'),
  );
  const candidates = rules.length === 0 ? undefined : await projectFiles();
  if (candidates === undefined) return [];
  return rules
    .filter(({ match }) => !candidates.some((path) => match?.(path) !== undefined))
    .map(({ path, reason }) => ({
      rule: 'idle-rule',
      severity: 'warning',
      file: path,
      message: `matches no file of this project (${reason}); correct the globs, which count from the folder that holds .claude, or from the project`,
    }));
}
