/** Models behind any server that speaks Chat Completions, through the official SDK, loaded when the first request is sent. */
import { toChat } from '@sidenote/engine';
import type { ModelAdapter, ModelEvent, ModelFailure, ModelProfile } from '@sidenote/engine';
import { ChatBuilder } from './chat-builder.js';
import { freshIds } from './fresh-ids.js';
import { endingOf } from './outcome.js';
import { sdkFailure } from './sdk-failure.js';
import { fetchOf } from './proxy.js';
import { defaultIdleMs, watchAnswer } from './watch.js';

export type OpenaiOptions = {
  readonly profile: ModelProfile;
  /** What the server calls the model, when the session has another name for it. Default: the name in the request. */
  readonly model?: string;
  /** Default: OpenAI's own. */
  readonly baseURL?: string | undefined;
  /** A server on this machine needs none. */
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** What stands between this machine and the server. Default: nothing. */
  readonly proxy?: URL | undefined;
  /** Milliseconds without a byte after which the answer counts as `silent`. Default 90,000. */
  readonly idleMs?: number;
  /** Milliseconds since the epoch, for `retry-after` dates. Default: the machine's clock. */
  readonly now?: () => number;
};

type Sdk = typeof import('openai');

export const openaiURL = 'https://api.openai.com/v1';
const noTimeout = 2 ** 31 - 1;

/**
 * Streams answers without retries of its own (`withRetries` has them), and never prints. Cache keys and a limit on the
 * output go to OpenAI alone: other servers refuse what they don't know, and have limits of their own.
 */
export function openaiAdapter(options: OpenaiOptions): ModelAdapter {
  const { profile, baseURL = openaiURL, apiKey, idleMs = defaultIdleMs, now = Date.now } = options;
  const own = baseURL === openaiURL;
  const server = own ? 'OpenAI' : baseURL;

  const failed = (error: unknown, started: boolean, sdk: Sdk | null): ModelFailure =>
    sdkFailure(error, { sdk, started, codeField: 'code', server, keyVariable: 'OPENAI_API_KEY', now: now() });

  return {
    profile,
    prepare() {
      // The first use of any of fetch's classes loads all of them. What fails here fails once more when it is needed.
      void import('openai').then(() => new Headers()).catch(() => {});
    },
    async *stream(plan, body, signal): AsyncGenerator<ModelEvent, void, void> {
      const watch = watchAnswer(signal, idleMs, await fetchOf(options.proxy));
      const answer = new ChatBuilder({ model: body.model, freshId: freshIds(body, 'call_') });
      let failure: ModelFailure | null = null;
      let sdk: Sdk | null = null;
      try {
        sdk = await import('openai');
        const client = new sdk.OpenAI({
          adminAPIKey: null,
          apiKey: apiKey ?? 'none',
          baseURL,
          defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...options.headers },
          fetch: watch.fetch,
          logLevel: 'off',
          maxRetries: 0,
          organization: null,
          project: null,
          timeout: noTimeout,
        });
        if (watch.cause === null) {
          const { prompt_cache_key, ...chat } = toChat(plan, { ...body, model: options.model ?? body.model });
          const limits = own ? { prompt_cache_key, max_completion_tokens: profile.maxOutput } : {};
          const request = { ...chat, ...limits, stream: true as const, stream_options: { include_usage: true } };
          const chunks = await client.chat.completions.create(request, { signal: watch.signal });
          for await (const chunk of chunks) yield* answer.add(chunk);
        }
      } catch (error) {
        // The answer is whole once the server has said why it stopped; only its usage may be lost.
        if (answer.message === null) failure = failed(error, answer.started, sdk);
      } finally {
        watch.end();
      }
      yield endingOf({ watch, message: answer.message, complete: answer.complete, started: answer.started, idleMs, failure, server });
    },
  };
}
