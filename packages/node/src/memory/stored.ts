/** Every memory file with what becomes of it, for a person: the indexes, and the files that wait to be recalled. */
import type { InstructionFile } from '@sidenote/engine';
import { memoryIndexes } from './indexes.js';
import type { MemoryPlaces } from './places.js';
import { TopicFiles } from './topics.js';

/** `off`: why memories are not told in this run. `recalled`: the indexes, too, are told with `relevant_memories`. */
export function explainMemories(
  places: MemoryPlaces,
  how: { readonly off?: string | undefined; readonly indexes?: 'told' | 'recalled' } = {},
): readonly InstructionFile[] {
  const { topics, problems } = new TopicFiles(places).read();
  const waiting = topics.map(({ reading, folder, title }): InstructionFile => ({
    path: reading.path,
    scope: folder.scope,
    text: reading.text,
    status: 'on-demand',
    reason: `recalled when a prompt is about it: ${title}`,
  }));
  const indexes = memoryIndexes(places).map((file): InstructionFile =>
    how.indexes === 'recalled' && (file.status === 'loaded' || file.status === 'cut')
      ? { ...file, status: 'on-demand', reason: `told with relevant_memories (memory.delivery is recall); ${file.reason}` }
      : file,
  );
  const all = [...indexes, ...waiting, ...problems];
  const { off } = how;
  return off === undefined ? all : all.map(({ path, scope }) => ({ path, scope, text: '', status: 'off', reason: off }));
}
