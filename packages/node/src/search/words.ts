/** Words of a text as searches over memories and skills compare them: any script, case and common endings aside. */

let segmenter: Intl.Segmenter | undefined;

/** Words that say nothing of what a text is about. */
const common = new Set(
  (
    'a about after again all also an and any are as at be been before but by can could did do does for from get give go had has have he help her him his ' +
    'how i if in into is it its just know let like look make me my need new no not now of off on one or our out over please run see set she should show so ' +
    'some take tell than that the their them then there these they this to try up us use used using want was way we were what when where which who why will ' +
    'with without would you your ' +
    'aber alle als am an auch auf aus bei bitte das dass dem den der des die du ein eine einen er es für hat ich im in ist ja kann man mit nach ' +
    'nicht noch nur oder sich sie sind so und uns vom von was wenn wer wie wir wird zu zum zur ' +
    'au aux avec ce ces cette dans de des du elle en est et il je la le les leur mais ne nous par pas pour que qui sur un une vous ' +
    'con como del el en es la las lo los más no para pero por que se sin su un una y'
  ).split(' '),
);

/** Where an identifier, a path or a qualified name is parted that is one word to the segmenter. */
const seams = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[_:]|(?<=\p{L})\.(?=\p{L})/gu;

/** In order, those that are too common left out. `camelCase`, `snake_case`, `kebab-case` and `file.ts` are several words. */
export function wordsOf(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const parted = text.normalize('NFKC').replaceAll(seams, ' ');
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(parted)) {
    const word = segment.toLowerCase();
    const isLetter = word.length === 1 && /^[\p{Script=Latin}\d]$/u.test(word);
    if (isWordLike === true && !isLetter && !common.has(word)) words.push(word);
  }
  return words;
}

/** Without the endings that English puts on one word; at least three letters are left. */
export function stemOfWord(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  return word.replace(/(?<=.{3})(?:ments?|ings?|ed|es|e|(?<!s)s)$/, '').replace(/^(.{2,}?)(.)\2$/, '$1$2');
}
