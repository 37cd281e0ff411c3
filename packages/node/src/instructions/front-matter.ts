/** Front matter of instruction files: which files a text is meant for. Written by hand, so read with patience. */

/** `always`: told at the start. `paths`: told when a matching file is touched; no globs means never. */
export type Scope =
  | { readonly type: 'always' }
  | { readonly type: 'paths'; readonly globs: readonly string[] }
  /** It was meant to be scoped and can't be understood: told nowhere, and said. */
  | { readonly type: 'broken'; readonly why: string };

/** Takes the front matter off. Comments and empty lines may stand before it; a rule (`---`) above prose is none. */
export function splitFrontMatter(text: string): { readonly yaml: string | undefined; readonly body: string } {
  const rest = text.slice(beforeFrontMatter(text));
  const found = /^---[ \t]*\n([^]*?)(?<=\n)---[ \t]*(?:\n|$)/.exec(rest);
  const yaml = found?.[1];
  if (found === null || yaml === undefined || !looksLikeFields(yaml)) return { yaml: undefined, body: text };
  return { yaml, body: rest.slice(found[0].length) };
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

function looksLikeFields(yaml: string): boolean {
  return yaml.split('\n').every((line) => line.trim() === '' || /^(\s|#|-\s|[\]}]|["']?[\w-]+["']?\s*:(\s|$))/.test(line));
}

/** Reads `paths`: a list, or a text with commas. Fields of other products scope nothing here and are said. */
export async function scopeOf(yaml: string | undefined): Promise<Scope> {
  if (yaml === undefined || !/^["']?(paths|globs|applyTo|alwaysApply)["']?\s*:/m.test(yaml)) return { type: 'always' };
  const fields = await parsed(yaml);
  if (fields === undefined) return { type: 'broken', why: 'its front matter is not valid YAML' };
  if (!('paths' in fields)) {
    if (fields['alwaysApply'] === true) return { type: 'always' };
    return { type: 'broken', why: 'its front matter is of another product; the field is `paths` here' };
  }
  const globs = globsOf(fields['paths']);
  return globs === undefined ? { type: 'broken', why: '`paths` is not a list of globs' } : { type: 'paths', globs };
}

function globsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value === '' ? undefined : splitOutsideBraces(value);
  if (!Array.isArray(value)) return undefined;
  const items: unknown[] = value;
  return items.every((item) => typeof item === 'string') ? items.flatMap(splitOutsideBraces) : undefined;
}

async function parsed(yaml: string): Promise<Record<string, unknown> | undefined> {
  const { parseDocument } = await import('yaml');
  for (const text of [yaml, quoted(yaml)]) {
    try {
      const document = parseDocument(text, { uniqueKeys: false });
      if (document.errors.length > 0 || document.warnings.length > 0) continue;
      const value: unknown = document.toJS({ maxAliasCount: 50 });
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    } catch {
      // An alias that is no alias (`*.ts`) fails only here.
    }
  }
  return undefined;
}

/** Globs are no YAML: quotes the plain values that YAML would take for something else. */
function quoted(yaml: string): string {
  return yaml
    .split('\n')
    .map((line) => {
      const [, head, value] = /^(\s*(?:-\s+|[\w-]+:\s+))(.+?)\s*$/.exec(line) ?? [];
      if (head === undefined || value === undefined || /^["'|>#]/.test(value)) return line;
      if (value.startsWith('[') && value.endsWith(']')) {
        const items = splitOutsideBraces(value.slice(1, -1)).map((item) => (/^["']/.test(item) ? item : JSON.stringify(item)));
        return `${head}[${items.join(', ')}]`;
      }
      return /^[*!&%@`{]/.test(value) || value.includes(': ') ? head + JSON.stringify(value) : line;
    })
    .join('\n');
}

function splitOutsideBraces(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (char === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
