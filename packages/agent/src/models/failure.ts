/** What went wrong with a request, in the engine's terms: whether trying again helps, and if not, what a person can do. */
import { messageOf, type ModelFailure } from '@sidenote/engine';

/** Facts about a failed request, whichever SDK or server they come from. */
export type FailureFacts = {
  /** HTTP status; null when there was none, also for an error inside a stream. */
  readonly status: number | null;
  /** The provider's name for it: `overloaded_error`, `context_length_exceeded` … */
  readonly kind: string | null;
  readonly message: string;
  readonly headers?: { get(name: string): string | null } | undefined;
  /** Who was asked, for the advice: `Anthropic`, or the address of a server. */
  readonly server: string;
  /** Name of the variable that holds the key. */
  readonly keyVariable: string;
};

const passing = new Set(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error', 'server_error', 'rate_limit_exceeded']);
const spent = /enforced_spend_limit_reached|insufficient_quota|billing_error|specified API usage limits|credit balance is too low/i;
const tooLong =
  /prompt is too long|context_length_exceeded|maximum context length|exceed_context_size|exceeds? the (available )?context|context (length|window) (is )?exceeded|input length and .?max_tokens.? exceed|request_too_large/i;
const signature = /invalid .?signature.? in .?thinking|thinking.{0,40}blocks? in the latest assistant message cannot be modified/i;
const systemRole = /role .?.?system.?.? is not supported|unexpected role .?.?system/i;

/** Connections that fail until someone changes something, in the words of Node and OpenSSL. */
const noTls = /wrong version number|packet length too long|unsupported protocol|alert protocol version/i;
const untrusted =
  /self.signed certificate|unable to verify the first certificate|unable to get (local )?issuer certificate|certificate has expired|certificate is not yet valid|does not match certificate's altnames/i;
const proxyKey = /the proxy \S+ answers 407/;
const badPort = /\bbad port$/;

/** Milliseconds that the server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfter(headers: FailureFacts['headers'], now: number): number | null {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const value = headers?.get('retry-after') ?? '';
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The innermost reason for a failed connection, such as `connect ECONNREFUSED 127.0.0.1:80`; of OpenSSL's, the words alone. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) return reasonOf(cause);
  const message = messageOf(error);
  return /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
}

/** Characters of a server's own words: a proxy may answer with a whole page. */
const mostWords = 500;

/** One line, cut where it is too long for one. */
function brief(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return line.length <= mostWords ? line : `${line.slice(0, mostWords).toWellFormed()}…`;
}

/** `now` in milliseconds, for servers that name a date to wait for. */
export function failureOf(facts: FailureFacts, now: number): ModelFailure {
  const { status, kind, server, keyVariable } = facts;
  const text = `${kind ?? ''} ${facts.message}`;
  const message = brief(facts.message);
  const fatal = (advice: string): ModelFailure => {
    const words = advice === '' || /[.!?…]$/.test(message) ? message : `${message}.`;
    return { type: 'fatal', status, message: `${words} ${advice}`.trim() };
  };
  if (spent.test(text) || status === 402) return fatal('Raise the spending limit or add credit; trying again does not help.');
  if (status === 413 || tooLong.test(text)) return { type: 'too-long', message };
  if (signature.test(message)) return { type: 'signature-refused', message };
  if (systemRole.test(message)) return { type: 'system-role-refused', message };
  if (status === 401 || kind === 'authentication_error') return fatal(`Check the key in ${keyVariable}.`);
  if (status === 403 || kind === 'permission_error') return fatal(`The key in ${keyVariable} may not use this model or service.`);
  if (status === 404 || kind === 'not_found_error') return fatal(`Check the model's name and the address of ${server}.`);
  if (status === null && noTls.test(message)) return fatal('Does the address begin with https:// where only http:// is served?');
  if (status === null && untrusted.test(message)) {
    return fatal(
      'Its certificate is not trusted here: name a file with that of its authority in NODE_EXTRA_CA_CERTS, or check the address.',
    );
  }
  if (status === null && proxyKey.test(message))
    return fatal("Put user and password into the proxy's address, as user:password@ before the host.");
  if (status === null && badPort.test(message)) return fatal('No request is ever sent to this port: check the address.');
  const again = status === null ? kind === null || passing.has(kind) : status === 408 || status === 409 || status === 429 || status >= 500;
  return again ? { type: 'retry', status, message, afterMs: retryAfter(facts.headers, now) } : fatal('');
}
