/** Which skills fit some words: a search over names and descriptions, made here, without a model. */
import type { ListedSkill } from '@sidenote/engine';
import { stemOfWord, wordsOf } from '../search/words.js';

/** Words of a skill that have to be among those searched for, unless one is part of its name. */
const enough = 2;
/** Share of the best one's score. */
const near = 0.5;

/** The best first; none where only a stray word is shared. The search is loaded on first use. */
export async function searchSkills(words: string, among: readonly ListedSkill[]): Promise<readonly string[]> {
  if (among.length === 0 || wordsOf(words).length === 0) return [];
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch<ListedSkill>({
    idField: 'name',
    fields: ['name', 'description'],
    tokenize: (text) => [...wordsOf(text)],
    processTerm: stemOfWord,
    searchOptions: { boost: { name: 3 }, prefix: (term) => term.length > 3, fuzzy: (term) => (term.length > 5 ? 0.15 : false) },
  });
  index.addAll(among);
  const found = index
    .search(words)
    .filter(({ queryTerms, match }) => queryTerms.length >= enough || Object.values(match).some((fields) => fields.includes('name')));
  const best = found[0]?.score ?? 0;
  return found.filter(({ score }) => score >= best * near).map(({ id }) => String(id));
}
