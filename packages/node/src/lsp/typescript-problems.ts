/**
 * What TypeScript says of one file as it is. Its language server publishes problems of an old text beside those of a new one,
 * and nothing where there were none before, so they are asked for: by the command that hands a request on to `tsserver`.
 */
import type { Diagnostic } from '@sidenote/engine';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { isObject } from '../settings/shape.js';

/** @throws what the connection throws. Undefined when it gives no answer. */
export async function typescriptProblems(connection: MessageConnection, file: string): Promise<readonly Diagnostic[] | undefined> {
  const answers = await Promise.all(
    ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'].map((command) =>
      connection.sendRequest('workspace/executeCommand', { command: 'typescript.tsserverRequest', arguments: [command, { file }] }),
    ),
  );
  const lists = answers.map((answer: unknown) => (isObject(answer) && Array.isArray(answer['body']) ? answer['body'] : undefined));
  return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? []).flatMap(diagnosticOf);
}

/** Lines count from 1 here. */
function diagnosticOf(one: unknown): readonly Diagnostic[] {
  if (!isObject(one) || typeof one['text'] !== 'string') return [];
  const { category, start, text, code } = one;
  if (category !== 'error' && category !== 'warning') return [];
  const line = isObject(start) && typeof start['line'] === 'number' ? start['line'] : 1;
  return [
    { line, severity: category, message: text.toWellFormed(), source: 'ts', ...(typeof code === 'number' ? { code: String(code) } : {}) },
  ];
}
