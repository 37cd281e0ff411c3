/** What a model is told of one instruction file: line ends plain, front matter and comments out. */
import { atPaths, type AtPath } from '../files/at-paths.js';
import { frontMatterOf, splitFrontMatter, type FrontMatter } from './front-matter.js';
import { proseOf } from './prose.js';

export type Rendered = Pick<FrontMatter, 'scope' | 'repositories'> & {
  /** As told. Imported files stand by themselves, so an import keeps its place as words. */
  readonly text: string;
  /** What a person should know about the file's form. */
  readonly notes: readonly string[];
  /** The words in which imports are looked for: code and comments are blanked. */
  readonly prose: string;
  /** Line of the file on which `prose` begins, from 1. */
  readonly firstLine: number;
};

/** Renders the text of a file. Pure; markdown is parsed only where there is an `@` or a comment. */
export async function renderInstructions(source: string): Promise<Rendered> {
  const plain = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const { body, ...split } = splitFrontMatter(plain);
  const { note, ...front } = await frontMatterOf(split);
  const about = { ...front, firstLine: lineAt(plain, plain.length - body.length) };
  const notes = note === undefined ? [] : [note];
  if (!body.includes('@') && !body.includes('<!--')) return { ...about, text: body.trim(), notes, prose: '' };
  const { text, prose, unclosed } = await proseOf(body);
  if (unclosed) notes.push('a comment (<!--) is not closed; the text after it is kept');
  return { ...about, text: text.trim(), notes, prose };
}

/** The imports of a rendered file, in order, each with its line in the file. */
export function importsOf(
  rendered: Rendered,
  disk: { isFile(path: string): boolean; mayGoOn(word: string): boolean },
): readonly (AtPath & { readonly line: number })[] {
  let [at, line] = [0, rendered.firstLine];
  return atPaths(rendered.prose, disk.isFile, disk.mayGoOn).map((found) => {
    for (; at < found.at; at += 1) if (rendered.prose[at] === '\n') line += 1;
    return { ...found, line };
  });
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
