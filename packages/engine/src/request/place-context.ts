/** What placing a record depends on besides the record. */
import type { ChainRecord } from '../transcript/records.js';
import type { ModelProfile } from './model.js';

export type PlaceContext = {
  readonly model: string;
  readonly profile: ModelProfile;
  /** True for records that a boundary kept from the window before it. */
  readonly inTail: (record: ChainRecord) => boolean;
  /** True when nothing was placed before these records. */
  readonly isStart: boolean;
  /** Ids of calls that were placed before; grows. */
  readonly ids: Set<string>;
};
