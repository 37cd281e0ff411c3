/** Why a request to a server came to nothing, in words for the model, and whether the connection is the reason. */

export type Problem = { readonly why: string; readonly isLost: boolean };

/** Loaded already when there is something to explain. */
export async function problemOf(error: unknown): Promise<Problem> {
  const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } = await import('@modelcontextprotocol/client');
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof ProtocolError) return { why: `the server answered with an error: ${text}`, isLost: false };
  if (error instanceof SdkHttpError) return { why: `the server could not be reached (${text})`, isLost: true };
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return { why: 'there was no answer in time; the server may still be at work on it', isLost: false };
  const isLost =
    error instanceof TypeError ||
    (error instanceof SdkError && (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected));
  return { why: isLost ? `the connection was lost (${text})` : text, isLost };
}
