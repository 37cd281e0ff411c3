/** Names stored sessions by the first words that were said in them. */
import type { Id, Store } from '@sidenote/engine';
import type { SessionEntry } from '../../conversation.js';

/** Lines of a session that are read to name it. */
const LINES = 60;
/** Sessions that are listed. */
const MOST = 50;

/** Newest first. A session that can't be read is listed without a title. */
export async function sessionEntries(store: Store): Promise<readonly SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const { session, changedAt } of store.list()) {
    entries.push({ id: session, changedAt, title: await titleOf(store, session).catch(() => '') });
    if (entries.length === MOST) break;
  }
  return entries;
}

async function titleOf(store: Store, session: Id): Promise<string> {
  const open = await store.open(session, { write: false });
  try {
    let left = LINES;
    for await (const line of open.lines(session)) {
      const words = line.includes('"user"') || line.includes('"custom-title"') ? wordsOf(line) : '';
      if (words !== '') return words;
      if (--left === 0) break;
    }
    return '';
  } finally {
    await open.close();
  }
}

/** The first line of what a person said, or the title that was given. */
function wordsOf(line: string): string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return '';
  }
  if (typeof value !== 'object' || value === null) return '';
  if ('customTitle' in value && typeof value.customTitle === 'string') return value.customTitle;
  if (!('type' in value) || value.type !== 'user' || 'isMeta' in value || !('message' in value)) return '';
  const { message } = value;
  const content: unknown = typeof message === 'object' && message !== null && 'content' in message ? message.content : undefined;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  for (const block of blocks) {
    if (typeof block !== 'object' || block === null || !('text' in block) || typeof block.text !== 'string') continue;
    const [first = ''] = block.text.trim().split('\n');
    if (first !== '') return first.slice(0, 120);
  }
  return '';
}
