/** Front matter of instruction files: which files a text is meant for. Written by hand, so read with patience. */
import { withoutCode } from '../files/code-ranges.js';
import { splitOutsideBraces, yamlFields } from '../front-matter/yaml-fields.js';
import { plainUrl } from './git-folder.js';

/** `always`: told at the start. `paths`: told when a matching file is touched; no globs means never. */
export type Scope =
  | { readonly type: 'always' }
  | { readonly type: 'paths'; readonly globs: readonly string[] }
  /** It was meant to be scoped and can't be understood: told nowhere, and said. */
  | { readonly type: 'broken'; readonly why: string };

export type FrontMatter = {
  readonly scope: Scope;
  /** Repositories that a user's file is meant for, by origin as `host/owner/name`; undefined: for any. */
  readonly repositories?: readonly string[];
  /** What a person should know of it although the text is told. */
  readonly note?: string;
};

type Split = {
  readonly yaml: string | undefined;
  readonly body: string;
  /** Fields that say a scope stand where no front matter can be. */
  readonly misplaced?: string;
};

/** Names that mean a scope, right or nearly right: none of them is ever passed over. */
const scopeField = /^[ \t]*["']?(paths?|globs?|applyTo|alwaysApply|repository)["']?[ \t]*:/im;

/** Takes the front matter off. Comments and empty lines may stand before it; a rule (`---`) above prose is none. */
export function splitFrontMatter(text: string): Split {
  const rest = text.slice(beforeFrontMatter(text));
  const opened = /^---[ \t]*\n/.exec(rest);
  const found = opened === null ? null : /^---[ \t]*\n([^]*?)(?<=\n)---[ \t]*(?:\n|$)/.exec(rest);
  const yaml = found?.[1];
  if (found !== null && yaml !== undefined && looksLikeFields(yaml)) return { yaml, body: rest.slice(found[0].length) };
  const whole = { yaml: undefined, body: text };
  if (opened === null) return misplacedIn(text) ? { ...whole, misplaced: 'its front matter does not come first' } : whole;
  const start = (yaml ?? rest.slice(opened[0].length)).split(/\n[ \t]*\n/)[0] ?? '';
  if (!scopeField.test(start)) return whole;
  return { ...whole, misplaced: found === null ? 'its front matter has no closing ---' : 'its front matter is not valid YAML' };
}

function beforeFrontMatter(text: string): number {
  let at = 0;
  for (;;) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    if (!text.startsWith('<!--', at)) return at;
    const end = text.indexOf('-->', at + 4);
    if (end === -1) return at;
    at = end + 3;
  }
}

/** A block of fields between two rules further down, outside code, that would scope the file if it came first. */
function misplacedIn(text: string): boolean {
  if (!text.includes('\n---')) return false;
  const parts = withoutCode(text).split(/^---[ \t]*$/m);
  return parts.slice(1, -1).some((part) => scopeField.test(part) && looksLikeFields(part));
}

function looksLikeFields(yaml: string): boolean {
  return yaml.split('\n').every((line) => line.trim() === '' || /^(\s|#|-\s|[\]}]|["']?[\w-]+["']?\s*:(\s|$))/.test(line));
}

/** Reads `paths` (or `globs`, `applyTo`, as other products call it): a list, or a text with commas; and `alwaysApply`. */
export async function frontMatterOf({ yaml, misplaced }: Omit<Split, 'body'>): Promise<FrontMatter> {
  if (misplaced !== undefined) return { scope: { type: 'broken', why: misplaced } };
  if (yaml === undefined || isPlain(yaml)) return { scope: { type: 'always' } };
  const fields = await yamlFields(yaml);
  if (fields !== undefined) return { scope: scopeIn(fields), ...repositoriesIn(fields) };
  if (scopeField.test(yaml)) return { scope: { type: 'broken', why: 'its front matter is not valid YAML' } };
  return { scope: { type: 'always' }, note: 'its front matter is not valid YAML' };
}

function scopeIn(fields: Readonly<Record<string, unknown>>): Scope {
  const broken = (why: string): Scope => ({ type: 'broken', why });
  const always = fields['alwaysApply'];
  if (always !== undefined && typeof always !== 'boolean') return broken('`alwaysApply` is neither true nor false');
  const odd = Object.keys(fields).find((name) => /^(paths?|globs?)$/i.test(name) && name !== 'paths' && name !== 'globs');
  if (odd !== undefined) return broken(`\`${odd}\` is no field; it is written \`paths\``);
  const repository = fields['repository'];
  if ('repository' in fields && listOf(repository) === undefined) return broken('`repository` is not a URL, or a list of them');
  const name = ['paths', 'globs', 'applyTo'].find((one) => one in fields);
  if (always === true) return { type: 'always' };
  if (name === undefined) return always === false ? { type: 'paths', globs: [] } : { type: 'always' };
  // Other products write `globs:` and leave it blank where a file is chosen in another way.
  const value = fields[name];
  if (name !== 'paths' && (value === null || value === '')) return { type: 'paths', globs: [] };
  const globs = listOf(value);
  return globs === undefined ? broken(`\`${name}\` is not a list of globs`) : { type: 'paths', globs };
}

function repositoriesIn(fields: Readonly<Record<string, unknown>>): Pick<FrontMatter, 'repositories'> {
  const repositories = listOf(fields['repository']);
  return repositories === undefined ? {} : { repositories: repositories.map(plainUrl) };
}

function listOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : splitOutsideBraces(value);
  if (!Array.isArray(value)) return undefined;
  const items: unknown[] = value;
  return items.every((item) => typeof item === 'string') ? items.flatMap(splitOutsideBraces) : undefined;
}

/** Nothing but one-line fields without a scope: the parser need not be loaded for it. */
function isPlain(yaml: string): boolean {
  if (scopeField.test(yaml)) return false;
  return yaml.split('\n').every((line) => /^\s*(#.*)?$|^[\w-]+:[ \t]+[\p{L}\p{N}][^:#"'{}[\]&*!|>%@`]*$/u.test(line));
}
