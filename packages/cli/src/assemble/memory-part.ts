/** Recalled memories as a part of a session: a look-up for each prompt, by the local search or by the model that settings name. */
import { chooseMemories } from '@sidenote/agent';
import { memoryRecall } from '@sidenote/node';
import type { Models } from './models.js';
import type { Part } from './part.js';
import type { Setup } from './set-up.js';

export function memoryPart({ memories, off }: Setup, models: Models): Part {
  if (off['relevant_memories'] !== undefined) return {};
  const { places, delivery, model } = memories;
  const chooser = model === undefined ? {} : { chooser: chooseMemories({ model, adapter: () => models.use(model).adapter }) };
  const recall = memoryRecall({ places, withIndexes: delivery === 'recall', ...chooser });
  return { ports: { recall }, close: async () => recall.close() };
}
