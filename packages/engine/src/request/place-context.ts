/** What placing a record depends on besides the record. */
import type { ChainRecord } from '../transcript/records.js';
import type { MediaRoom } from './media-room.js';
import type { ModelProfile } from './model.js';
import type { WireMessage } from './wire.js';

export type PlaceContext = {
  readonly model: string;
  readonly profile: ModelProfile;
  /** True for answers whose thinking can't go back: of before the provider refused it, or bound to a window that a boundary ended. */
  readonly losesThinking: (record: ChainRecord) => boolean;
  /** Role of the message that was placed before these records; null when they are the first. */
  readonly last: WireMessage['role'] | null;
  /** Ids of calls that were placed before; grows. */
  readonly ids: Set<string>;
  /** Images and documents that were placed before; grows. */
  readonly room: MediaRoom;
};
