/**
 * The port behind recalled memories: a look-up that starts with a prompt and is ready when it is. By default a local search;
 * where a chooser is given, it picks from what is stored, and the search stands in when it fails.
 */
import type { Id, Memory, Ports } from '@sidenote/engine';
import { headOf } from '../files/lines.js';
import { memoryEntry } from './entry.js';
import { memoryIndexes } from './indexes.js';
import { maxRecalled, recallLimits } from './limits.js';
import type { MemoryPlaces } from './places.js';
import type { Match, MemorySearch } from './search.js';
import { TopicFiles, type Topic } from './topics.js';

/** Picks memories for a prompt, by a model for one. */
export type MemoryChooser = {
  /** For the reason: `chosen by <name>`. */
  readonly name: string;
  /** Names of the memories that bear on the prompt, best first. A rejection, or no answer before the signal, leaves it to the search. */
  choose(
    asked: { readonly prompt: string; readonly memories: readonly { readonly name: string; readonly title: string }[] },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
};

export type RecallOptions = {
  readonly places: MemoryPlaces;
  /** The indexes are told here, before any request of a window that is ready for them, instead of with the instructions. */
  readonly withIndexes?: boolean;
  readonly chooser?: MemoryChooser;
};

/** Look-ups that are kept, of all threads: an older one is of words that were answered long ago. */
const maxLookUps = 16;
/** Characters of a prompt that are looked at. */
const maxPrompt = 20_000;
/** Milliseconds for a chooser. */
const patience = 10_000;

type LookUp = { found: readonly Memory[] | null; readonly stop: AbortController };

/** The port, and its end: look-ups that still run are given up. */
export type MemoryRecall = NonNullable<Ports['recall']> & { close(): void };

/** Reads the folders when words arrive, and only then. Nothing is loaded where there are no memories. */
export function memoryRecall(options: RecallOptions): MemoryRecall {
  const lookUps = new Map<Id, LookUp>();
  const files = new TopicFiles(options.places);
  const search = lazySearch();
  return {
    begin(prompt, words) {
      const lookUp: LookUp = { found: null, stop: new AbortController() };
      lookUps.set(prompt, lookUp);
      for (const [id, old] of [...lookUps].slice(0, -maxLookUps)) {
        lookUps.delete(id);
        old.stop.abort();
      }
      const indexes = options.withIndexes === true ? memoryIndexes(options.places) : [];
      const { topics, problems } = files.read();
      const done = (memories: readonly Memory[]): void => void (lookUp.found = [...indexes, ...memories, ...problems]);
      const text = headOf(words, maxPrompt).trim();
      if (topics.length === 0 || text === '') return done([]);
      const local = (): void => search((loaded) => done(loaded?.find(text, topics).map(recalled) ?? []));
      if (options.chooser === undefined) return local();
      void chosen(options.chooser, { text, topics, stop: lookUp.stop.signal }).then((found) =>
        found === undefined ? local() : done(found),
      );
    },
    take: (prompt) => lookUps.get(prompt)?.found ?? null,
    close() {
      for (const { stop } of lookUps.values()) stop.abort();
    },
  };
}

/** At once when the search is loaded already; without it when it can't be loaded, or fails. */
function lazySearch(): (use: (search: MemorySearch | undefined) => void) => void {
  let loaded: MemorySearch | undefined;
  const attempt = (search: MemorySearch, use: (search: MemorySearch | undefined) => void): void => {
    try {
      use(search);
    } catch {
      use(undefined);
    }
  };
  return (use) => {
    if (loaded !== undefined) return attempt(loaded, use);
    void import('./search.js').then(
      (module) => attempt((loaded ??= new module.MemorySearch()), use),
      () => use(undefined),
    );
  };
}

/** Undefined: it did not choose. */
async function chosen(
  chooser: MemoryChooser,
  { text, topics, stop }: { readonly text: string; readonly topics: readonly Topic[]; readonly stop: AbortSignal },
): Promise<readonly Memory[] | undefined> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(patience)]);
  const late = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
  const memories = topics.map((topic) => ({ name: topic.name, title: topic.title }));
  const asked = async (): Promise<readonly string[] | undefined> => chooser.choose({ prompt: text, memories }, signal);
  const names = await Promise.race([asked().catch(() => undefined), late]);
  if (names === undefined) return undefined;
  const picked = [...new Set(names)].flatMap((name) => topics.find((topic) => topic.name === name) ?? []);
  return picked.slice(0, maxRecalled).map((topic) => entryOf(topic, `chosen by ${chooser.name}`));
}

const recalled = ({ topic, words }: Match): Memory => entryOf(topic, `it has ${words.slice(0, 5).join(', ')}`);

function entryOf({ reading, folder }: Topic, reason: string): Memory {
  return memoryEntry(reading, { folder, limits: recallLimits, reason, rest: `${reason}; Read the file for the rest` });
}
