/** Asks the address of a hook: the input as the body of a POST, the answer read as a command's output would be. */
import { messageOf } from '@sidenote/engine';
import { BoundedText, ENDLESS } from './bounded-text.js';
import type { Handler } from './read-handler.js';
import type { HookRun, RunOptions } from './run-command-hook.js';

/** Never rejects. Redirects are not followed: the address is the one that was configured. */
export async function runHttpHook({
  handler,
  input,
  env,
  signal,
}: RunOptions & { readonly handler: Handler & { readonly type: 'http' } }): Promise<HookRun> {
  const limit = AbortSignal.timeout(handler.limitMs);
  const stop = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  try {
    const response = await fetch(handler.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(handler, env) },
      body: input,
      redirect: 'manual',
      signal: stop,
    });
    const { text, isCut } = await bodyOf(response, stop);
    if (!response.ok) return { type: 'failed', why: `it answered with status ${response.status}` };
    return { type: 'ended', exit: 0, stdout: text, stderr: '', cut: isCut };
  } catch (error) {
    if (signal?.aborted === true) return { type: 'aborted' };
    if (limit.aborted) return { type: 'timed-out' };
    return { type: 'failed', why: reasonOf(error) };
  }
}

async function bodyOf({ body }: Response, signal: AbortSignal): Promise<Pick<BoundedText, 'text' | 'isCut'>> {
  const text = new BoundedText();
  if (body === null) return text;
  const reader = body.getReader();
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) return text;
    text.add(value);
    if (text.isEndless) {
      void reader.cancel().catch(() => undefined);
      throw new Error(`it sent more than ${ENDLESS / 1024 / 1024} MiB`);
    }
  }
}

/** Variables that the handler does not name stay empty: a header must not carry off what it was not given. */
function headersOf({ headers, variables }: Handler & { readonly type: 'http' }, env: RunOptions['env']): Readonly<Record<string, string>> {
  const filled = (text: string): string =>
    text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_all, braced: string | undefined, bare: string | undefined) => {
      const name = braced ?? bare ?? '';
      return variables.includes(name) ? (env[name] ?? '') : '';
    });
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, filled(text)]));
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error);
}
