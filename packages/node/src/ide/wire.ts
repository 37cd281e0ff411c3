/** What editors send, read with suspicion: paths from addresses, lines from 1, problems in the engine's words. */
import { fileURLToPath } from 'node:url';
import type { Diagnostic, FileProblems, Selection } from '@sidenote/engine';
import { isObject } from '../settings/shape.js';

type Bag = Readonly<Record<string, unknown>>;

/** The JSON inside the result of a tool call; undefined when there is none. */
export function answerOf(result: unknown): unknown {
  const [first] = textsOf(result);
  try {
    return first === undefined ? undefined : JSON.parse(first);
  } catch {
    return undefined;
  }
}

/** The texts of the result of a tool call; none when it is an error. */
export function textsOf(result: unknown): readonly string[] {
  if (!isObject(result) || result['isError'] === true || !Array.isArray(result['content'])) return [];
  return result['content'].flatMap((block: unknown) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []));
}

/** Of a path or a `file:` address. One with control characters in it is none: no file that a person opens has such a name. */
export function pathOf(value: unknown): string | undefined {
  const path = typeof value === 'string' ? pathIn(value) : undefined;
  return path === undefined || /\p{Cc}/u.test(path) ? undefined : path.toWellFormed();
}

function pathIn(value: string): string | undefined {
  if (value.startsWith('/')) return value;
  try {
    return value.startsWith('file:') ? fileURLToPath(value) : undefined;
  } catch {
    return undefined;
  }
}

/** What is selected, an empty text included; null: no file. On the wire lines count from 0, and the end is exclusive. */
export function selectionOf(params: Bag): Selection | null {
  const path = pathOf(params['filePath']) ?? pathOf(params['fileUrl']);
  if (path === undefined || params['success'] === false) return null;
  const { selection, text } = params;
  const range = isObject(selection) ? selection : {};
  const first = lineOf(range['start']);
  const end = isObject(range['end']) ? range['end'] : {};
  const last = lineOf(end) - (end['character'] === 0 && lineOf(end) > first ? 1 : 0);
  const isEmpty = range['isEmpty'] === true || typeof text !== 'string';
  return { path, text: isEmpty ? '' : text.toWellFormed(), lines: [first, Math.max(first, last)] };
}

/** From 1. */
function lineOf(position: unknown): number {
  const line = isObject(position) ? position['line'] : undefined;
  return typeof line === 'number' && line >= 0 ? Math.floor(line) + 1 : 1;
}

/** Problems that matter, of files alone: `[{ uri, diagnostics }]`. */
export function problemsOf(answer: unknown): readonly FileProblems[] {
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((file: unknown) => {
    if (!isObject(file) || !Array.isArray(file['diagnostics'])) return [];
    const path = pathOf(file['uri']);
    return path === undefined ? [] : [{ path, problems: diagnosticsOf(file['diagnostics']) }];
  });
}

/** Problems of one file as the language server protocol has them; hints and information are none. */
export function diagnosticsOf(list: readonly unknown[]): readonly Diagnostic[] {
  return list.flatMap((one) => {
    if (!isObject(one) || typeof one['message'] !== 'string') return [];
    const severity = severityOf(one['severity']);
    if (severity === undefined) return [];
    const { source, code, range, message } = one;
    return [
      {
        line: lineOf(isObject(range) ? range['start'] : undefined),
        severity,
        message: message.toWellFormed(),
        ...(typeof source === 'string' ? { source } : {}),
        ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
      },
    ];
  });
}

/** A server that does not say how bad it is means an error. */
function severityOf(value: unknown): Diagnostic['severity'] | undefined {
  if (value === undefined || value === 1 || value === 'Error') return 'error';
  return value === 2 || value === 'Warning' ? 'warning' : undefined;
}

/** Paths of the open tabs, and the one that is in front. */
export function tabsOf(answer: unknown): { readonly paths: readonly string[]; readonly active: string | null } | undefined {
  const tabs = isObject(answer) && Array.isArray(answer['tabs']) ? answer['tabs'].filter(isObject) : undefined;
  if (tabs === undefined) return undefined;
  const paths = tabs.flatMap((tab) => pathOf(tab['uri']) ?? []);
  return { paths, active: tabs.filter((tab) => tab['isActive'] === true).flatMap((tab) => pathOf(tab['uri']) ?? [])[0] ?? null };
}

/** A place of a file that a person sends to the conversation. */
export type EditorMention = {
  readonly path: string;
  /** From 1, inclusive. */
  readonly lines?: readonly [first: number, last: number];
};

export function mentionOf(params: Bag): EditorMention | undefined {
  const path = pathOf(params['filePath']);
  if (path === undefined) return undefined;
  const { lineStart, lineEnd } = params;
  if (typeof lineStart !== 'number') return { path };
  const first = lineOf({ line: lineStart });
  return { path, lines: [first, Math.max(first, lineOf({ line: lineEnd }))] };
}
