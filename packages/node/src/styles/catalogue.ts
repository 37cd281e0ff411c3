/** Output styles from files: `output-styles` beside settings, of the organisation, the project (nearest folder first) and the person. */
import { countText, head, neutralise } from '@sidenote/engine';
import { basename } from 'node:path';
import { definitionFiles, type AgentFile, type AgentOptions } from '../agents/places.js';
import { isWithin } from '../files/paths.js';
import { readTextFile } from '../files/read.js';
import { definitionOf } from '../front-matter/definition.js';
import { nearest } from '../settings/nearest.js';
import { projectRoot } from '../settings/project-root.js';

export type StyleDefinition = {
  readonly name: string;
  /** What it is for, in a line; empty when the file says nothing of it. */
  readonly description: string;
  /** For the system prompt; reminder tags in it are inert. */
  readonly text: string;
  /** Whether the part of the system prompt about coding stays. Default false. */
  readonly keepCoding: boolean;
  readonly scope: AgentFile['scope'];
  readonly file: string;
};

export type StyleProblem = { readonly file: string; readonly line: number; readonly message: string };
export type StyleCatalogue = {
  /** By name in lower case, since people type it. */
  readonly styles: ReadonlyMap<string, StyleDefinition>;
  readonly problems: readonly StyleProblem[];
};

/** Bytes of one file, and characters of one style. */
const LARGEST = 1024 * 1024;
const LONGEST = 20_000;
const LONGEST_NAME = 64;
const FIELDS = ['name', 'description', 'keep-coding-instructions', 'force-for-plugin'];

/** What is on the disk now. Never rejects: a file that can't be used is a problem. */
export async function outputStyles(
  options: Pick<AgentOptions, 'cwd' | 'home' | 'configDir' | 'env' | 'managed' | 'sources' | 'trusted'>,
): Promise<StyleCatalogue> {
  const files = await definitionFiles('output-styles', options);
  const read = await Promise.all(files.map((file) => readStyle(file, options)));
  const styles = new Map<string, StyleDefinition>();
  const problems = read.flatMap((one) => one.problems);
  for (const { style } of read) {
    if (style === undefined) continue;
    const key = style.name.toLowerCase();
    const winner = styles.get(key);
    if (winner === undefined) styles.set(key, style);
    else problems.push({ file: style.file, line: 1, message: `the style ${style.name} is already defined in ${winner.file}` });
  }
  return { styles, problems };
}

type ReadStyle = { readonly style?: StyleDefinition; readonly problems: readonly StyleProblem[] };

async function readStyle({ path, scope }: AgentFile, { cwd, trusted }: Pick<AgentOptions, 'cwd' | 'trusted'>): Promise<ReadStyle> {
  const reading = await readTextFile(path, { maxBytes: LARGEST });
  if (reading.type === 'missing') return { problems: [] };
  if (reading.type !== 'text') {
    const why = reading.type === 'unreadable' ? reading.why : reading.type === 'special' ? reading.kind : reading.type;
    return { problems: [{ file: path, line: 1, message: `can't be read as an output style (${why})` }] };
  }
  // A setting of the project could choose it, and the person's own file would be sent.
  if (scope === 'project' && trusted !== true && !isWithin(await projectRoot(cwd), reading.path)) {
    const message = `it is a link to ${reading.path}, outside the project, and this folder is not trusted; the style is not loaded`;
    return { problems: [{ file: path, line: 1, message }] };
  }
  const { fields, body, lineOf, problem } = await definitionOf(reading.text);
  const problems: StyleProblem[] = problem === undefined ? [] : [{ file: path, ...problem }];
  const wrong = (field: string, message: string): void => void problems.push({ file: path, line: lineOf(field), message });
  for (const field of Object.keys(fields)) {
    if (FIELDS.includes(field)) continue;
    const near = nearest(field, FIELDS);
    wrong(field, `\`${field}\` is no field of an output style${near === undefined ? '' : `; did you mean ${near}?`}`);
  }
  const text = neutralise(body.trim());
  if (text === '') return { problems: [...problems, { file: path, line: 1, message: 'it has no text; the style is not loaded' }] };
  if (text.length > LONGEST) wrong('', `only its first ${countText(LONGEST)} of ${countText(text.length)} characters count`);
  const keep = fields['keep-coding-instructions'];
  if (keep !== undefined && keep !== null && typeof keep !== 'boolean')
    wrong('keep-coding-instructions', '`keep-coding-instructions` is neither true nor false; it was left out');
  const style = {
    name: nameOf(fields['name'], path),
    description: typeof fields['description'] === 'string' ? fields['description'].trim() : '',
    text: head(text, LONGEST),
    keepCoding: keep === true,
    scope,
    file: path,
  };
  return { style, problems };
}

function nameOf(given: unknown, path: string): string {
  const name = typeof given === 'string' ? given.replaceAll(/\s+/g, ' ').trim() : '';
  return neutralise(head(name === '' ? basename(path, '.md') : name, LONGEST_NAME));
}
