/** The fields of front matter, as people write them: YAML, and what is nearly YAML. The parser is loaded when it is needed. */
import type { Json } from '@sidenote/engine';
import { isObject } from '../hooks/json.js';

/** Characters of front matter: what is longer describes nothing, and parsers take their time over it. */
export const longestYaml = 16 * 1024;
/** Brackets within brackets, and marks of lists and keys in a row. */
const deepest = 32;

/** Undefined: not even with quotes around what YAML would misread, or too long or too deep to be tried. Empty for nothing. */
export async function yamlFields(yaml: string): Promise<Record<string, Json> | undefined> {
  if (yaml.length > longestYaml || isDeep(yaml)) return undefined;
  const { parseDocument } = await import('yaml');
  for (const text of [yaml, quoted(yaml)]) {
    try {
      const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
      if (document.errors.length > 0 || document.warnings.length > 0) continue;
      // As JSON: a value that holds itself fails here, and sets and maps are no surprise later.
      const value = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 50 }))) as Json;
      if (value === null) return {};
      if (isObject(value)) return { ...value };
    } catch {
      // An alias that is no alias (`*.ts`) fails only here.
    }
  }
  return undefined;
}

/** A parser that goes down thousands of levels ends the whole process, or takes hours. Text in quotes may count as deeper than it is. */
function isDeep(yaml: string): boolean {
  let depth = 0;
  for (const char of yaml) {
    if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1);
    if (depth > deepest) return true;
  }
  return yaml.split('\n').some((line) => (/^(?:\s*[-?:](?=\s))*/.exec(line)?.[0].replace(/\s/g, '').length ?? 0) > deepest);
}

/** Globs are no YAML: quotes the plain values that YAML would take for something else. */
function quoted(yaml: string): string {
  return yaml
    .split('\n')
    .map((line) => {
      const [, head, value] = /^(\s*(?:-\s+|[\w-]+:\s+))(\S.*)$/.exec(line.trimEnd()) ?? [];
      if (head === undefined || value === undefined || /^["'|>#]/.test(value)) return line;
      if (/^\[[^[\]]*(?:\[[^[\]]*\][^[\]]*)*\]$/.test(value)) {
        const items = splitOutsideBraces(value.slice(1, -1)).map((item) => (/^["']/.test(item) ? item : JSON.stringify(item)));
        return `${head}[${items.join(', ')}]`;
      }
      return /^(?:[*!&%@`{]|\[.*\])/.test(value) || value.includes(': ') ? head + JSON.stringify(value) : line;
    })
    .join('\n');
}

/** At commas that are not part of a `{a,b}`; empty parts are left out. */
export function splitOutsideBraces(text: string): string[] {
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
