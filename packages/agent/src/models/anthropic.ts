/** Models behind the Messages API, through the official SDK, which is loaded when the first request is sent. */
import type { ModelAdapter, ModelEvent, ModelFailure, ModelProfile } from '@sidenote/engine';
import { AnswerBuilder } from './answer-builder.js';
import { freshIds } from './fresh-ids.js';
import { endingOf } from './outcome.js';
import { sdkFailure } from './sdk-failure.js';
import { fetchOf } from './proxy.js';
import { defaultIdleMs, watchAnswer } from './watch.js';

export type AnthropicOptions = {
  readonly profile: ModelProfile;
  readonly apiKey?: string | undefined;
  /** A bearer token; used when there is no key. */
  readonly authToken?: string | undefined;
  /** Default: Anthropic's own. */
  readonly baseURL?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Asks the server why it could not read its cache; the answer then has `diagnostics`. Default: Anthropic's own server is
   * asked, since others refuse fields that they don't know.
   */
  readonly diagnostics?: boolean;
  /** What stands between this machine and the server. Default: nothing. */
  readonly proxy?: URL | undefined;
  /** Milliseconds without a byte after which the answer counts as `silent`. Default 90,000. */
  readonly idleMs?: number;
  /** Milliseconds since the epoch, for `retry-after` dates. Default: the machine's clock. */
  readonly now?: () => number;
};

type Sdk = typeof import('./anthropic-client.js');

export const anthropicURL = 'https://api.anthropic.com';

/** The SDK's own limit must never come before ours. */
const noTimeout = 2 ** 31 - 1;

/** Streams answers without retries of its own (`withRetries` has them), and never prints. */
export function anthropicAdapter(options: AnthropicOptions): ModelAdapter {
  const { profile, idleMs = defaultIdleMs, now = Date.now } = options;
  const server = options.baseURL ?? 'Anthropic';
  const diagnoses = options.diagnostics ?? options.baseURL === undefined;
  const key = options.apiKey ?? (options.authToken === undefined ? 'none' : null);

  const keyVariable = options.apiKey === undefined && options.authToken !== undefined ? 'ANTHROPIC_AUTH_TOKEN' : 'ANTHROPIC_API_KEY';
  const failed = (error: unknown, started: boolean, sdk: Sdk | null): ModelFailure =>
    sdkFailure(error, { sdk, started, codeField: 'errorCode', server, keyVariable, now: now() });

  return {
    profile,
    prepare() {
      // The first use of any of fetch's classes loads all of them. What fails here fails once more when it is needed.
      void import('./anthropic-client.js').then(() => new Headers()).catch(() => {});
    },
    async *stream(plan, body, signal): AsyncGenerator<ModelEvent, void, void> {
      const watch = watchAnswer(signal, idleMs, await fetchOf(options.proxy));
      const answer = new AnswerBuilder(freshIds(body, 'toolu_'));
      let failure: ModelFailure | null = null;
      let sdk: Sdk | null = null;
      try {
        sdk = await import('./anthropic-client.js');
        const client = {
          apiKey: key,
          authToken: key === null ? (options.authToken ?? null) : null,
          baseURL: options.baseURL ?? anthropicURL,
          defaultHeaders: { ...(key === 'none' ? { authorization: null } : {}), ...options.headers },
          fetch: watch.fetch,
          logLevel: 'off' as const,
          maxRetries: 0,
          timeout: noTimeout,
        };
        if (watch.cause === null) {
          const asked =
            diagnoses && plan.previous?.startsWith('msg_') === true ? { diagnostics: { previous_message_id: plan.previous } } : {};
          const request = { ...body, ...asked, max_tokens: profile.maxOutput, stream: true };
          const events = await sdk.answerEvents(client, { body: request, signal: watch.signal });
          for await (const raw of events) {
            const event = answer.add(raw);
            if (event !== null) yield event;
            if (answer.message !== null) break;
          }
        }
      } catch (error) {
        failure = failed(error, answer.started, sdk);
      } finally {
        watch.end();
      }
      yield endingOf({ watch, message: answer.message, complete: answer.complete, started: answer.started, idleMs, failure, server });
    },
  };
}
