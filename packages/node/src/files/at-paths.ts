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
  /** Lines asked for by `#L10-20` or `:10-20`, in order. */
  readonly lines?: readonly [first: number, last: number];
  /** Offset of the `@`. */
  readonly at: number;
  readonly found: boolean;
};

type Reading = Pick<AtPath, 'path' | 'lines'>;

/** Words after a space that a path may go on with, as long as the whole names a file. */
const maxWords = 5;
/** Characters of a path, marks behind it, and looks at the disk for one text: a pasted log is full of `@`. */
const maxLength = 1024;
const maxTrims = 8;
const maxLooks = 5000;

/**
 * Finds the paths of a text, first to last. What is evidently a path and doesn't exist comes with `found: false`.
 * `mayGoOn` tells whether a longer name, with a space behind the word, is worth asking for; default: always.
 */
export function atPaths(text: string, exists: (path: string) => boolean, mayGoOn: (word: string) => boolean = () => true): AtPath[] {
  const paths: AtPath[] = [];
  const known = new Map<string, boolean>();
  const isThere = (path: string): boolean => {
    // Dots and slashes alone are an ellipsis or an alias, except as a folder beside this one.
    if (/^[./]*$/.test(path) && !/^\.{1,2}\/$/.test(path)) return false;
    const answer = known.get(path) ?? (known.size < maxLooks && exists(path));
    if (known.size < maxLooks) known.set(path, answer);
    return answer;
  };
  let end = -1;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', Math.max(at + 1, end))) {
    if (at !== end && !startsAt(text, at)) continue;
    const found = pathAt(text, at, { exists: isThere, mayGoOn });
    if (found === undefined) continue;
    paths.push({ ...found, at });
    end = at + found.raw.length;
  }
  return paths;
}

type Disk = { exists(path: string): boolean; mayGoOn(word: string): boolean };

function pathAt(text: string, at: number, { exists, mayGoOn }: Disk): Omit<AtPath, 'at'> | undefined {
  const line = lineFrom(text, at + 1);
  const quoted = /^(["'])(.+?)\1(#L\d+(?:-L?\d+)?)?/.exec(line);
  if (quoted?.[2] !== undefined) {
    const [ranged, whole] = [rangeOf(quoted[2] + (quoted[3] ?? '')), { path: quoted[2] }];
    const hit = [ranged, whole].find((reading) => reading !== undefined && exists(reading.path)) ?? ranged ?? whole;
    return { ...hit, raw: `@${quoted[0]}`, found: exists(hit.path) };
  }
  const word = wordOf(line);
  if (word === '') return undefined;
  const plain = withoutParticles(word);
  const written = [...(mayGoOn(word) ? longerWords(line, word) : []), word, ...(plain === word ? [] : [plain])].flatMap(trims);
  for (const readAs of [literal, rangeOf, colonOf, placeOf]) {
    for (const body of written) {
      const hit = readAs(body);
      if (hit !== undefined && exists(hit.path)) return { ...hit, raw: `@${body}`, found: true };
    }
  }
  const body = trims(plain).at(-1) ?? plain;
  const hit = rangeOf(body) ?? evident(colonOf(body)) ?? placeOf(body) ?? literal(body);
  return isEvident(hit) ? { ...hit, raw: `@${body}`, found: false } : undefined;
}

/** Not inside an address, a link target, another word, or after an escaping backslash. */
function startsAt(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at);
  if (/(\]\(|="|=')$/.test(before)) return false;
  // An underscore that no word stands before is emphasis.
  return !/([\p{Script=Latin}\p{N}.%+\-/\\@`=&#$]|[\p{Script=Latin}\p{N}]_+)$/u.test(before);
}

function lineFrom(text: string, start: number): string {
  return /^[^\n\r\0]*/.exec(text.slice(start, start + maxLength))?.[0] ?? '';
}

/** Up to the next space that is not escaped; a following `@~/` or `@./`, or `@` behind a comma, begins a path of its own. */
function wordOf(line: string): string {
  return /^(?:\\\s|(?!@[~./]|[,;]@)[^\s"`<>|])+/.exec(line)?.[0] ?? '';
}

/** Scripts without spaces go on behind a name: `x.mdを見て`, `x.md。`. What is of them in the name itself stands before its ending. */
function withoutParticles(word: string): string {
  return (
    /^.*?\.[a-z][a-z\d]*(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef])/iu.exec(
      word,
    )?.[0] ?? word
  );
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

const ending = /(?:['’]s|[.,:;!?)\]}'"*_~(…。，、；：！？」）])$/u;

/** A word as written, then with less and less of the punctuation behind it, and of the `'s` that makes it an owner. */
function trims(word: string): string[] {
  const all = [word];
  let rest = word;
  while (all.length <= maxTrims && ending.test(rest)) {
    rest = rest.replace(ending, '');
    if (rest !== '') all.push(rest);
  }
  return all;
}

/** The file of this very name, also where the name holds a `#`. */
function literal(body: string): Reading {
  return { path: unescaped(body) };
}

/** `name#L10-20`, in either order. */
function rangeOf(body: string): Reading | undefined {
  const [, name, from, to] = /^(.+)#L(\d+)(?:-L?(\d+))?$/.exec(body) ?? [];
  if (name === undefined || from === undefined) return undefined;
  const [a, b] = [Number(from), Number(to ?? from)];
  return { path: unescaped(name), lines: [Math.min(a, b), Math.max(a, b)] };
}

/** `name:10` or `name:10-20`, as compilers and searches write places; a column behind it says nothing. */
function colonOf(body: string): Reading | undefined {
  const [, name, from, to] = /^(.+?):(\d+)(?:-(\d+)|:\d+)?$/.exec(body) ?? [];
  return name === undefined || from === undefined ? undefined : rangeOf(`${name}#L${from}-${to ?? from}`);
}

/** A host with its port is no file that is missing. */
function evident(reading: Reading | undefined): Reading | undefined {
  return reading !== undefined && isEvident({ path: reading.path }) ? reading : undefined;
}

/** `name#heading`: the file. */
function placeOf(body: string): Reading | undefined {
  const hash = body.indexOf('#');
  return hash > 0 ? { path: unescaped(body.slice(0, hash)) } : undefined;
}

function unescaped(body: string): string {
  return body.replace(/\\([\s()[\]{}&'"@#])/g, '$1');
}

const codeEndings = /\.([cm]?[jt]sx?|vue|svelte|astro|s?css|less)$/i;
const fileEndings =
  /\.(md|mdc|mdx|txt|rst|adoc|[cm]?[jt]sx?|jsonc?|json5|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|log|py|ipynb|rs|go|rb|java|kts?|scala|c|h|cc|cpp|hpp|cs|php|swift|lua|dart|exs?|sh|bash|zsh|fish|ps1|sql|html?|s?css|less|vue|svelte|xml|csv|tsv|proto|tf|gradle|png|jpe?g|gif|webp|svg|pdf|zip|gz|bin|dat|patch|diff)$/i;

/** A path that was meant as one even though nothing is there: its absence is worth a line. */
function isEvident({ path, lines }: Reading): boolean {
  // An alias of a bundler looks like an absolute path: `@/lib/x.ts`.
  if (path.includes('://') || (path.startsWith('/') && codeEndings.test(path))) return false;
  if (/^(\.{1,2}|~)\//.test(path) || lines !== undefined) return true;
  if (path.endsWith('/')) return path.length > 1;
  return path.includes('/') ? /\.[a-z][\w-]*$/i.test(path) : fileEndings.test(path);
}
