/**
 * `@path` in a text, as people write it in prompts and instruction files. Which words stand for a file is settled by
 * what exists: the longest reading that names a file wins, and a word that is only a name is passed over in silence.
 */

/** Replaces what is not to be looked at. It ends a path like a space does. */
export const masked = '\0';

export type AtPath = {
  /** As written, with the `@`. */
  readonly raw: string;
  /** Unquoted and unescaped, as written otherwise. */
  readonly path: string;
  /** Lines asked for by `#L10-20`, in order. */
  readonly lines?: readonly [first: number, last: number];
  /** Offset of the `@`. */
  readonly at: number;
  readonly found: boolean;
};

type Reading = { readonly raw: string; readonly path: string; readonly lines?: readonly [number, number] };

/** Words after a space that a path may go on with, as long as the whole names a file. */
const maxWords = 5;

/** Finds the paths of a text, first to last. What is evidently a path and doesn't exist comes with `found: false`. */
export function atPaths(text: string, exists: (path: string) => boolean): AtPath[] {
  const paths: AtPath[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    if (!startsAt(text, at)) continue;
    const found = pathAt(text, at, exists);
    if (found === undefined) continue;
    paths.push({ ...found, at });
    at += found.raw.length - 1;
  }
  return paths;
}

function pathAt(text: string, at: number, exists: (path: string) => boolean): (Reading & { readonly found: boolean }) | undefined {
  const line = lineFrom(text, at + 1);
  const quoted = /^(["'])(.+?)\1(#L\d+(?:-L?\d+)?)?/.exec(line);
  if (quoted?.[2] !== undefined) {
    const inner = readings(quoted[2] + (quoted[3] ?? ''), (body) => body).map((reading) => ({ ...reading, raw: `@${quoted[0]}` }));
    const hit = inner.find(({ path }) => exists(path)) ?? inner.at(-1);
    return hit && { ...hit, found: exists(hit.path) };
  }
  const word = wordOf(line);
  if (word === '') return undefined;
  for (const written of [...longerWords(line, word), word]) {
    for (const trimmed of trims(written)) {
      const hit = readings(trimmed, unescaped).find(({ path }) => exists(path));
      if (hit !== undefined) return { ...hit, found: true };
    }
  }
  const last = readings(trims(word).at(-1) ?? '', unescaped).at(-1);
  return last !== undefined && isEvident(last) ? { ...last, found: false } : undefined;
}

/** Not inside an address, a link target, another word, or after an escaping backslash. */
function startsAt(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  if (before === '](' || before === '="' || before === "='") return false;
  return !/[\p{Script=Latin}\p{N}_.%+\-/\\@`=&#$]$/u.test(before);
}

function lineFrom(text: string, start: number): string {
  return /^[^\n\r\0]*/.exec(text.slice(start, start + 4096))?.[0] ?? '';
}

/** Up to the next space that is not escaped; a following `@~/` or `@./` begins a path of its own. */
function wordOf(line: string): string {
  return /^(?:\\\s|(?!@[~./])[^\s"`<>|])+/.exec(line)?.[0] ?? '';
}

function longerWords(line: string, word: string): string[] {
  const longer: string[] = [];
  let end = word.length;
  for (let n = 0; n < maxWords; n += 1) {
    const next = /^ +[^\s"`<>|@]+/.exec(line.slice(end));
    if (next === null) break;
    end += next[0].length;
    longer.unshift(line.slice(0, end));
  }
  return longer;
}

/** A word as written, then with less and less of the punctuation behind it. */
function trims(word: string): string[] {
  const all = [word];
  let rest = word;
  while (/[.,:;!?)\]}'"*_~(…。，、；：！？」）]$/u.test(rest)) {
    rest = rest.slice(0, -1);
    if (rest !== '') all.push(rest);
  }
  return all;
}

/** A name that holds a `#`, a range of lines, or a place in the file: in this order. */
function readings(body: string, plain: (body: string) => string): Reading[] {
  const all: Reading[] = [{ raw: `@${body}`, path: plain(body) }];
  const hash = body.indexOf('#');
  if (hash <= 0) return all;
  const path = plain(body.slice(0, hash));
  const range = /^#L(\d+)(?:-L?(\d+))?$/.exec(body.slice(hash));
  if (range === null) return [...all, { raw: `@${body}`, path }];
  const [a, b] = [Number(range[1]), Number(range[2] ?? range[1])];
  return [...all, { raw: `@${body}`, path, lines: [Math.min(a, b), Math.max(a, b)] }];
}

function unescaped(body: string): string {
  return body.replace(/\\([\s()[\]{}&'"@#])/g, '$1');
}

const fileEndings =
  /\.(md|mdc|mdx|txt|rst|adoc|[cm]?[jt]sx?|jsonc?|json5|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|log|py|ipynb|rs|go|rb|java|kts?|scala|c|h|cc|cpp|hpp|cs|php|swift|lua|dart|exs?|sh|bash|zsh|fish|ps1|sql|html?|s?css|less|vue|svelte|xml|csv|tsv|proto|tf|gradle|png|jpe?g|gif|webp|svg|pdf|zip|gz|bin|dat|patch|diff)$/i;

/** A path that was meant as one even though nothing is there: its absence is worth a line. */
function isEvident({ path, lines }: Reading): boolean {
  if (path.includes('://')) return false;
  if (/^(\.{1,2}|~)\//.test(path) || lines !== undefined) return true;
  if (path.endsWith('/')) return path.length > 1;
  return path.includes('/') ? /\.[a-z][\w-]*$/i.test(path) : fileEndings.test(path);
}
