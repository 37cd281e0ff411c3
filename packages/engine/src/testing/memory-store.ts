/** The store in memory, with what a test wants to do to it: it can stop after a write, as a killed process would. */
import type { Id } from '../content/content.js';
import { MemoryStore as PlainStore } from '../transcript/memory-store.js';
import type { OpenSession } from '../transcript/store.js';
import { testDigest } from './test-ports.js';

/** Identity: the files. */
export class MemoryStore extends PlainStore {
  /** Writes so far, over all sessions. */
  writes = 0;
  /** Called before each write; throwing makes the write fail with nothing stored. */
  beforeWrite: (lines: readonly string[]) => void = () => undefined;

  constructor() {
    super({ digest: testDigest });
  }

  /** As if every process that has a session open had died. */
  release(): void {
    this.writing.clear();
  }

  override async open(session: Id, how: { readonly write: boolean }): Promise<OpenSession> {
    const open = await super.open(session, how);
    return {
      ...open,
      append: async (thread, lines, survive) => {
        this.beforeWrite(lines);
        this.writes++;
        await open.append(thread, lines, survive);
      },
    };
  }
}
