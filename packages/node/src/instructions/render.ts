/** What a model is told of one instruction file: line ends plain, front matter and comments out. */
import { atPaths, type AtPath } from '../files/at-paths.js';
import { scopeOf, splitFrontMatter, type Scope } from './front-matter.js';
import { proseOf } from './prose.js';

export type Rendered = {
  /** As told. Imported files stand by themselves, so an import keeps its place as words. */
  readonly text: string;
  readonly scope: Scope;
  /** What a person should know about the file's form. */
  readonly notes: readonly string[];
  /** The words in which imports are looked for: code and comments are blanked. */
  readonly prose: string;
};

/** Renders the text of a file. Pure; markdown is parsed only where there is an `@` or a comment. */
export async function renderInstructions(source: string): Promise<Rendered> {
  const { yaml, body } = splitFrontMatter(source.replace(/\r\n?/g, '\n'));
  const scope = await scopeOf(yaml);
  if (!body.includes('@') && !body.includes('<!--')) return { text: body.trim(), scope, notes: [], prose: '' };
  const { text, prose, unclosed } = await proseOf(body);
  const notes = unclosed ? ['a comment (<!--) is not closed; the text after it is kept'] : [];
  return { text: text.trim(), scope, notes, prose };
}

/** The imports of a rendered file, in order. */
export function importsOf(rendered: Rendered, exists: (path: string) => boolean): AtPath[] {
  return atPaths(rendered.prose, exists);
}
