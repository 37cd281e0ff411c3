/** One settings file: JSON with comments, byte order mark and trailing commas allowed; what can be understood of it counts. */
import type { Node, ParseError } from 'jsonc-parser';
import { readTextFile } from '../files/read.js';
import { isForeign } from './foreign-settings.js';
import { settingsShape, type Settings } from './settings.js';
import type { Path, Problem } from './shape.js';

/** Something in settings that has no effect, for a person to mend. */
export type SettingsWarning = {
  readonly type: 'unreadable' | 'syntax' | Problem['type'] | 'untrusted';
  /** Path of the file, or the flag. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** `permissions.allow.2` */
  readonly key?: string;
  /** The whole of it in one line. */
  readonly message: string;
};

export type SettingsText = { readonly settings: Settings; readonly warnings: readonly SettingsWarning[] };

/** `missing` is a warning only for a file that someone named. */
export async function readSettingsFile(path: string, { named = false }: { readonly named?: boolean } = {}): Promise<SettingsText> {
  const reading = await readTextFile(path);
  if (reading.type === 'text') return parseSettings(reading.text, path);
  if (reading.type === 'missing' && !named) return { settings: {}, warnings: [] };
  const why = reading.type === 'unreadable' ? reading.why : reading.type === 'special' ? reading.kind : reading.type;
  return { settings: {}, warnings: [{ type: 'unreadable', file: path, message: `${path}: can't be read as settings (${why})` }] };
}

/** `file` is what warnings name. */
export async function parseSettings(source: string, file: string): Promise<SettingsText> {
  try {
    return await understood(source, file);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `${file}: nested too deeply to be read as settings; it was left out`;
    return { settings: {}, warnings: [{ type: 'unreadable', file, message }] };
  }
}

async function understood(source: string, file: string): Promise<SettingsText> {
  const text = source.replace(/^\ufeff/, '');
  if (text.trim() === '') return { settings: {}, warnings: [] };
  // Most folders have no settings of their own.
  const { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const warnings: SettingsWarning[] = [];
  const [error] = errors;
  if (error !== undefined) {
    const line = lineAt(text, error.offset);
    const what = printParseErrorCode(error.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    warnings.push({
      type: 'syntax',
      file,
      line,
      message: `${file}:${line}: not valid JSON here (${what}); what can be read of the file applies`,
    });
  }
  if (root === undefined) return { settings: {}, warnings };
  const settings = settingsShape.check(withoutSchema(getNodeValue(root)), [], (problem) => {
    const node = problem.path.length === 0 ? root : findNodeAtLocation(root, [...problem.path]);
    warnings.push(warningOf(problem, { text, file, node }));
  });
  return { settings: settings ?? {}, warnings: foreignTogether(warnings, file) };
}

/** Those of other programs are one line, where the first of them stood. */
function foreignTogether(warnings: readonly SettingsWarning[], file: string): readonly SettingsWarning[] {
  const isOne = ({ type, key }: SettingsWarning): boolean => type === 'unknown-key' && key !== undefined && isForeign(key);
  const [first, ...rest] = warnings.filter(isOne);
  if (first === undefined || rest.length === 0) return warnings;
  const key = [first, ...rest].map((one) => one.key).join(', ');
  const message = `${file}: settings of other programs, without effect here: ${key}`;
  return warnings.flatMap((one) => (one === first ? [{ ...first, key, message }] : isOne(one) ? [] : [one]));
}

/** Editors put `$schema` there; it is not for us. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$schema'));
}

function warningOf(
  problem: Problem,
  at: { readonly text: string; readonly file: string; readonly node: Node | undefined },
): SettingsWarning {
  const line = at.node === undefined ? undefined : lineAt(at.text, at.node.offset);
  const key = keyOf(problem.path);
  const place = `${at.file}${line === undefined ? '' : `:${line}`}`;
  const name = key === '' ? 'the file' : `"${key}"`;
  const message =
    problem.type === 'wrong-type'
      ? `${place}: ${name} must be ${problem.expected}; it was left out`
      : `${place}: there is no setting ${name}${problem.nearest === undefined ? '' : `; did you mean "${keyOf([...problem.path.slice(0, -1), problem.nearest])}"?`}`;
  return { type: problem.type, file: at.file, ...(line === undefined ? {} : { line }), key, message };
}

/** A path as people write it: `permissions.allow.2`. */
export function keyOf(path: Path): string {
  return path.join('.');
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
