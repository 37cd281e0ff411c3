/** The indexes of memories, as they ride with the instructions: the team's, then the person's, after all other files. */
import { join } from 'node:path';
import type { InstructionFile, Ports } from '@sidenote/engine';
import { digestOf } from '../files/digest.js';
import { untold } from '../instructions/entry.js';
import { memoryEntry, readMemory } from './entry.js';
import { indexLimits } from './limits.js';
import { indexName, type MemoryFolder, type MemoryPlaces } from './places.js';

/** One entry for each index that is there. A folder without one costs a look. */
export function memoryIndexes({ own, team }: MemoryPlaces): readonly InstructionFile[] {
  const indexes = [...(team === undefined ? [] : memoryIndex(team)), ...memoryIndex(own)];
  return indexes.map((file) => ({ ...file, mainOnly: true }));
}

/** The one of a folder, if it is there. */
export function memoryIndex(folder: MemoryFolder): readonly InstructionFile[] {
  const path = join(folder.path, indexName);
  const read = readMemory(path, folder);
  if (read.type === 'missing') return [];
  if (read.type === 'not') return [read.entry];
  if (read.reading.text.trim() === '') return [untold({ path, scope: folder.scope }, { status: 'empty', reason: 'nothing in it' })];
  const rest = `an index is told up to ${indexLimits.lines} lines or ${indexLimits.bytes / 1024} KB: move details into files of their own`;
  const entry = memoryEntry(read.reading, { folder, limits: indexLimits, reason: `index of the ${folder.scope}`, rest });
  const warning = entry.status === 'cut' ? { warning: `${entry.path} is told in part: ${entry.reason}` } : {};
  return [{ ...entry, ...warning }];
}

/** The instructions, and behind them the indexes. */
export function withMemoryIndexes(
  instructions: NonNullable<Ports['instructions']>,
  read: () => readonly InstructionFile[],
): NonNullable<Ports['instructions']> {
  return {
    async read(signal) {
      const reading = await instructions.read(signal);
      const indexes = reading.type === 'ready' ? read() : [];
      if (reading.type !== 'ready' || indexes.length === 0) return reading;
      const state = digestOf(JSON.stringify(indexes.map(({ path, status, view }) => [path, status, view?.digest])));
      return { type: 'ready', value: [...reading.value, ...indexes], version: digestOf(`${reading.version} ${state}`) };
    },
  };
}
