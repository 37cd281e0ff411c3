/** Which skills fit some words: a search over names and descriptions, made here, without a model. */
import type { ListedSkill } from '@sidenote/engine';

/** Words that fit everything. */
const common = new Set(
  'a about all an and any are as at be but by can do does for from get give has have help how i if in into is it its just like make me my need new no not of off on or our out please show so some that the their them then there these this to up use used using want was we what when where which who why will with would you your'.split(
    ' ',
  ),
);

/** Words of a skill that have to be among those searched for, unless one is part of its name. */
const enough = 2;
/** Share of the best one's score. */
const near = 0.5;

/** The best first; none where only a stray word is shared. The search is loaded on first use. */
export async function searchSkills(words: string, among: readonly ListedSkill[]): Promise<readonly string[]> {
  if (among.length === 0 || wordsIn(words).length === 0) return [];
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch<ListedSkill>({
    idField: 'name',
    fields: ['name', 'description'],
    tokenize: wordsIn,
    processTerm: (term) => term,
    searchOptions: { boost: { name: 3 }, prefix: (term) => term.length > 3, fuzzy: (term) => (term.length > 5 ? 0.15 : false) },
  });
  index.addAll(among);
  const found = index
    .search(words)
    .filter(({ queryTerms, match }) => queryTerms.length >= enough || Object.values(match).some((fields) => fields.includes('name')));
  const best = found[0]?.score ?? 0;
  return found.filter(({ score }) => score >= best * near).map(({ id }) => String(id));
}

let segmenter: Intl.Segmenter | undefined;

/** Also of languages that put no spaces between words. A plural is its singular. */
function wordsIn(text: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const found: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text.toLowerCase().replaceAll(/[-_:]/g, ' '))) {
    const word = segment.length > 3 && segment.endsWith('s') && !segment.endsWith('ss') ? segment.slice(0, -1) : segment;
    if (isWordLike === true && !common.has(segment)) found.push(word);
  }
  return found;
}
