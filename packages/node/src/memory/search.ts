/** The local search over memories. Loaded when there is a memory to look for: it brings the index. */
import MiniSearch from 'minisearch';
import { stemOfWord, wordsOf } from '../search/words.js';
import { maxRecalled } from './limits.js';
import { stemOf, type Topic } from './topics.js';

/** Part of the best score that another one must reach. */
const nearBest = 0.35;
/** Characters of all bodies together that are searched; those of the first files count. */
const maxBodies = 600_000;
/** Words of a prompt that are looked for. */
const maxQuery = 200;

export type Match = { readonly topic: Topic; /** Words of the prompt that it has. */ readonly words: readonly string[] };

type Document = { readonly id: string; readonly title: string; readonly headings: string; readonly body: string };

/** Identity: an index, and the state of the files that it is of. */
export class MemorySearch {
  #index = emptyIndex();
  #indexed: readonly Topic[] = [];

  /** The memories that bear on these words, best first. */
  find(words: string, topics: readonly Topic[]): readonly Match[] {
    this.#bring(topics);
    const asked = new Map(wordsOf(words).map((word) => [stemOfWord(word), word]));
    if (asked.size === 0) return [];
    const query = [...asked.keys()].slice(0, maxQuery).join(' ');
    const found = this.#index.search(query).flatMap(({ id, score, match, queryTerms }) => {
      const topic = topics.find(({ path }) => path === id);
      const isAbout = Object.values(match).some((fields) => fields.some((field) => field !== 'body'));
      // One word somewhere in a text says little of what it is about.
      return topic === undefined || (!isAbout && new Set(queryTerms).size < 2)
        ? []
        : [{ topic, score, words: queryTerms.map((term) => asked.get(term) ?? term) }];
    });
    const best = found[0]?.score ?? 0;
    return found
      .filter(({ score }) => score >= best * nearBest)
      .slice(0, maxRecalled)
      .map(({ topic, words: has }) => ({ topic, words: [...new Set(has)] }));
  }

  #bring(topics: readonly Topic[]): void {
    if (topics.length === this.#indexed.length && topics.every((topic, at) => topic === this.#indexed[at])) return;
    this.#index = emptyIndex();
    let room = maxBodies;
    for (const topic of topics) {
      const body = topic.body.length <= room ? topic.body : '';
      room -= body.length;
      this.#index.add({ id: topic.path, title: `${stemOf(topic)} ${topic.title}`, headings: topic.headings, body });
    }
    this.#indexed = topics;
  }
}

function emptyIndex(): MiniSearch<Document> {
  return new MiniSearch<Document>({
    fields: ['title', 'headings', 'body'],
    tokenize: (text) => [...wordsOf(text)],
    processTerm: stemOfWord,
    searchOptions: {
      // A query is stems already.
      tokenize: (text) => text.split(' '),
      processTerm: (term) => term,
      boost: { title: 3, headings: 2 },
      prefix: (term) => term.length >= 4,
      fuzzy: (term) => (term.length >= 6 ? 0.15 : false),
    },
  });
}
