/** The part of Anthropic's SDK that streaming an answer needs: the whole of it is several times as much to load. */
import { BaseAnthropic, type ClientOptions } from '@anthropic-ai/sdk/client';

export { APIConnectionError, APIError } from '@anthropic-ai/sdk/error';

/** Events of one answer. Not through the SDK's `messages.create`: that prints a warning for each request to an older model. */
export async function answerEvents(
  options: ClientOptions,
  { body, signal }: { readonly body: object; readonly signal: AbortSignal },
): Promise<AsyncIterable<unknown>> {
  return new BaseAnthropic(options).post<AsyncIterable<unknown>>('/v1/messages', { body, signal, stream: true });
}
