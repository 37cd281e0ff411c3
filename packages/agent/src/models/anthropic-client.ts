/** The part of Anthropic's SDK that streaming an answer needs: the whole of it is three times as much to load. */
import { BaseAnthropic, type ClientOptions } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages/messages';

export { APIConnectionError, APIError } from '@anthropic-ai/sdk/error';

/** The Messages API through a client of its own. */
export function messagesOf(options: ClientOptions): Messages {
  return new Messages(new BaseAnthropic(options));
}
