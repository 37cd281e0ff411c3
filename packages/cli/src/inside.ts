/** How paths of the working directory are shown to a person: without the directory, as they would write them. */

/** The text with every path inside `cwd` made relative; also in rules, where `//` begins a path of the file system. */
export function inside(text: string, cwd: string): string {
  const folder = `${cwd.replace(/\/$/, '')}/`;
  return text.replaceAll(`/${folder}`, '').replaceAll(folder, '');
}
