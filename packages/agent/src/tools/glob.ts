/** `Glob`: files by name. */
import { join } from 'node:path';
import { stat } from 'node:fs/promises';
import { absolute, shownPath, type ToolEnvironment } from './environment.js';
import { globSearch } from './glob-pattern.js';
import { inputOf, optional, text } from './input.js';
import { keepWhole } from './keep-large.js';
import { listFiles, newestFirst } from './list-files.js';
import { refused, said } from './outcome.js';
import type { Tool } from './tool.js';

export type GlobInput = { readonly pattern: string; readonly path: string | undefined };

const maxShown = 100;

export function globTool(environment: ToolEnvironment): Tool<GlobInput> {
  const input = inputOf('Glob', { pattern: text('like src/**/*.ts'), path: optional(text('folder; default the working directory')) });
  const searchOf = ({ pattern, path }: GlobInput) => globSearch(pattern, absolute(environment, path ?? '.'));
  return {
    spec: { name: 'Glob', description: 'Find files by glob, newest first. Ignored files are left out.', input_schema: input.schema },
    access: 'read',
    parse: input.parse,
    paths: (value) => [searchOf(value).folder],
    title: ({ pattern, path }) => `Glob ${pattern}${path === undefined ? '' : ` in ${path}`}`,
    async run(value, { signal }) {
      const { folder, matches } = searchOf(value);
      const there = await stat(folder).catch(() => undefined);
      if (there === undefined) return refused(`There is no folder ${folder}.`);
      if (!there.isDirectory()) return refused(`${folder} is a file; give its folder as path, or read it.`);
      const { files, cut } = await listFiles(folder, { signal });
      const found: string[] = [];
      for (const file of await newestFirst(folder, files.filter(matches))) {
        const path = join(folder, file);
        if ((await environment.mayRead?.(path)) ?? true) found.push(shownPath(environment, path));
      }
      const lines = found.length === 0 ? ['No files match.'] : found.slice(0, maxShown);
      if (found.length > maxShown) {
        const file = keepWhole(found.join('\n'), { environment, name: 'glob' });
        const where = file === undefined ? 'narrow the pattern to see them' : `all ${found.length} are in ${file}`;
        lines.push(`[… ${found.length - maxShown} more; ${where}]`);
      }
      if (cut) lines.push('[The folder holds too many files: not all were looked at. Give a deeper path.]');
      return said(lines.join('\n'), { effects: value.path === undefined ? [] : [{ type: 'touched', path: folder }] });
    },
  };
}
