/** What a thread is made of. */
import type { AnyAttachmentKind } from '../attachments/contract.js';
import type { Ports } from '../attachments/ports.js';
import type { Id } from '../content/content.js';
import type { ModelProfile } from '../request/model.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { Queue } from './queue.js';
import type { SessionOptions } from './session.js';
import type { RecordWriter } from './writer.js';

export type ThreadOptions = {
  readonly id: Id;
  readonly isMain: boolean;
  readonly log: TranscriptLog;
  readonly queue: Queue;
  readonly writer: RecordWriter;
  readonly ports: Ports;
  readonly kinds: readonly AnyAttachmentKind[];
  readonly profile: (model: string) => ModelProfile;
  readonly session: SessionOptions;
  /** Makes the window whole that ends there. */
  readonly refill: (head: Id) => Promise<void>;
};
