/** Where each instruction file stands in a text that tells several of them. */

/** Characters of `text` that belong to one file, its heading included. */
export type FileRun = { readonly path: string; readonly text: string };

/**
 * The runs of `paths`, in this order, as `tellFiles` writes them; what stands before the first is no file's. A path whose heading is
 * not found (it was cut away) has none.
 */
export function fileRuns(text: string, paths: readonly string[]): readonly FileRun[] {
  const starts: { readonly path: string; readonly at: number }[] = [];
  for (const path of paths) {
    const last = starts.at(-1)?.at ?? -1;
    const at = text.indexOf(`\n\nFrom ${path} (`, last + 1);
    if (at >= 0) starts.push({ path, at });
  }
  return starts.map(({ path, at }, index) => ({ path, text: text.slice(at, starts[index + 1]?.at ?? text.length) }));
}
