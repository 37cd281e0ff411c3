/** How paths of the working directory are shown to a person: without the directory, as they would write them. */

/** The text with every path inside `cwd` made relative; also in rules, where `//` begins a path of the file system. */
export function inside(text: string, cwd: string): string {
  const folder = cwd.replace(/\/$/, '');
  if (folder === '') return text;
  // Not the end of a longer path: `/srv/app` is not in `/app`.
  return text.replaceAll(new RegExp(String.raw`(?<![\p{L}\p{N}_.~+/-])/?${escaped(folder)}/`, 'gu'), '');
}

const escaped = (words: string): string => words.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
