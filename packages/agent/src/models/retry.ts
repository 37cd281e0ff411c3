/** Tries a request again while that can help. The SDKs' own retries are off, so that nothing is tried twice over. */
import type { MessagesBody, ModelAdapter, ModelEvent, ModelFailure, Ports, RequestPlan } from '@sidenote/engine';

export type RetryEvent =
  | ModelEvent
  /** What had been streamed is not part of the answer any more. */
  | { readonly type: 'response-dropped'; readonly why: string }
  /** `attempt`: the number of the one to come, from 2. */
  | { readonly type: 'retry-scheduled'; readonly attempt: number; readonly afterMs: number; readonly why: string };

export type RetryOptions = {
  readonly adapter: ModelAdapter;
  readonly plan: RequestPlan;
  readonly body: MessagesBody;
  readonly signal: AbortSignal;
  readonly clock: Pick<Ports['clock'], 'sleep'>;
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number;
  /** Attempts in all. Default 10; answers that broke off or fell silent are tried 3 times at most, since each may cost. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt; doubled for each one after it. Default 500. */
  readonly baseMs?: number;
  /** Most milliseconds of our own back-off. Default 30,000. */
  readonly capMs?: number;
  /** Most milliseconds that a server may ask for; if it asks for more, the request has failed. Default 600,000. */
  readonly patienceMs?: number;
};

const brokenAttempts = 3;
const defaultPatienceMs = 600_000;

/** Milliseconds to wait, or null when trying again makes no sense. */
function waitFor(failure: ModelFailure, attempt: number, options: RetryOptions): number | null {
  const { attempts = 10, baseMs = 500, capMs = 30_000, patienceMs = defaultPatienceMs } = options;
  const broken = failure.type === 'cut' || failure.type === 'silent';
  if (failure.type !== 'retry' && !broken) return null;
  if (attempt >= (broken ? Math.min(attempts, brokenAttempts) : attempts)) return null;
  const asked = failure.type === 'retry' ? failure.afterMs : null;
  if (asked !== null) return asked <= patienceMs ? asked : null;
  // Between half and the whole of the step, so that many clients do not come back together.
  return Math.round(Math.min(capMs, baseMs * 2 ** (attempt - 1)) * (0.5 + options.random() / 2));
}

/** A failure that is given up because the server asks for too long a wait says so. */
function explained(failure: ModelFailure, { patienceMs = defaultPatienceMs }: RetryOptions): ModelFailure {
  if (failure.type !== 'retry' || failure.afterMs === null || failure.afterMs <= patienceMs) return failure;
  return {
    ...failure,
    message: `${failure.message} (the server asks to wait ${Math.round(failure.afterMs / 60_000)} min: try again then)`,
  };
}

/** Ends with exactly one `response-ended` or `response-failed`. */
export async function* withRetries(options: RetryOptions): AsyncGenerator<RetryEvent, void, void> {
  const { adapter, plan, body, signal, clock } = options;
  for (let attempt = 1; ; attempt += 1) {
    let visible = false;
    let failed: Extract<ModelEvent, { type: 'response-failed' }> | null = null;
    for await (const event of adapter.stream(plan, body, signal)) {
      if (event.type === 'response-failed') failed = event;
      else yield event;
      if (event.type === 'text-delta' || event.type === 'thinking-delta') visible = true;
    }
    if (failed === null) return;
    const afterMs = signal.aborted ? null : waitFor(failed.failure, attempt, options);
    if (afterMs === null) {
      yield signal.aborted ? failed : { ...failed, failure: explained(failed.failure, options) };
      return;
    }
    const why = failed.failure.message;
    if (visible) yield { type: 'response-dropped', why };
    yield { type: 'retry-scheduled', attempt: attempt + 1, afterMs, why };
    if (!signal.aborted) await clock.sleep(afterMs, signal).catch(() => undefined);
    if (signal.aborted) {
      yield { type: 'response-failed', failure: { type: 'aborted', message: 'The request was interrupted.' }, complete: [] };
      return;
    }
  }
}
