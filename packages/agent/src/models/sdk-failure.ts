/** What an error of a provider's SDK means. The SDKs come from one generator: their errors have the same classes and fields. */
import { messageOf, type ModelFailure } from '@sidenote/engine';
import { failureOf, reasonOf } from './failure.js';
import { fieldsOf, numberOf, textOf } from './fields.js';

type ErrorClass = new (...of: never[]) => Error;

export type SdkErrorAt = {
  /** Null: it could not even be loaded. */
  readonly sdk: { readonly APIError: ErrorClass; readonly APIConnectionError: ErrorClass } | null;
  /** The answer had begun. */
  readonly started: boolean;
  /** Field of an error that names it more closely than its type. */
  readonly codeField: string;
  readonly server: string;
  readonly keyVariable: string;
  readonly now: number;
};

export function sdkFailure(error: unknown, { sdk, started, codeField, server, keyVariable, now }: SdkErrorAt): ModelFailure {
  const reason = reasonOf(error);
  const cut: ModelFailure = { type: 'cut', message: `The answer of ${server} broke off: ${reason}` };
  if (sdk === null || !(error instanceof sdk.APIError)) return cut;
  const facts = fieldsOf(error);
  const status = numberOf(facts['status']);
  const kind = textOf(facts[codeField]) ?? textOf(facts['type']);
  if (status === null && kind === null && started) return cut;
  const words = error instanceof sdk.APIConnectionError ? `${server} can't be reached: ${reason}` : messageOf(error);
  const message = textOf(facts['apiMessage']) ?? words;
  const headers = facts['headers'] instanceof Headers ? facts['headers'] : undefined;
  return failureOf({ status, kind, message, headers, server, keyVariable }, now);
}
