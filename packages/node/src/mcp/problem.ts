/** Why a request to a server came to nothing, in words for the model, and whether the connection is the reason. */
import { head } from '@sidenote/engine';
import { plainText } from '../hooks/plain-text.js';

/** Characters of what a server says went wrong: its words are as long as it likes. */
const LONGEST = 2_000;

/** What went wrong on one line, without control characters. `longest`: characters. */
export function errorText(error: unknown, longest = LONGEST): string {
  const text = plainText(error instanceof Error ? error.message || error.name : String(error));
  const line = text
    .slice(0, longest * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= longest ? line : `${head(line, longest - 1)}…`;
}

/** `fetch failed` alone says nothing: what lies below it does, in brackets, or nothing. */
export function reasonBelow(error: unknown): string {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return '';
  const { cause } = error;
  const reason = cause.message === '' && 'code' in cause ? String(cause.code) : cause.message.split('\n')[0];
  return reason === undefined || reason === '' ? '' : ` (${reason})`;
}

export type Problem = { readonly why: string; readonly isLost: boolean };

/** Loaded already when there is something to explain. */
export async function problemOf(error: unknown): Promise<Problem> {
  const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } = await import('@modelcontextprotocol/client');
  const text = errorText(error);
  if (error instanceof ProtocolError) return { why: `the server answered with an error: ${text}`, isLost: false };
  if (error instanceof UnauthorizedError) return { why: 'the login there has run out', isLost: true };
  if (error instanceof SdkHttpError) return { why: `the server could not be reached (${text})`, isLost: true };
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return { why: 'there was no answer in time; the server may still be at work on it', isLost: false };
  const isLost =
    error instanceof TypeError ||
    (error instanceof SdkError && (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected));
  return { why: isLost ? `the connection was lost (${text})` : text, isLost };
}
