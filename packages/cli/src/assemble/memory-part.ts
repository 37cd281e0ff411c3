/** Recalled memories as a part of a session: a look-up for each prompt, by the local search or by the model that settings name. */
import { chooseMemories } from '@sidenote/agent';
import { memoryRecall } from '@sidenote/node';
import { countAside } from './count-aside.js';
import type { Part, PartOptions } from './part.js';

export function memoryPart(options: PartOptions): Part {
  const { setup, models } = options;
  if (setup.off['relevant_memories'] !== undefined) return {};
  const { places, delivery, model } = setup.memories;
  const chooser =
    model === undefined ? {} : { chooser: chooseMemories({ model, adapter: () => models.use(model).adapter, spent: countAside(options) }) };
  const recall = memoryRecall({ places, withIndexes: delivery === 'recall', ...chooser });
  return { ports: { recall }, close: async () => recall.close() };
}
