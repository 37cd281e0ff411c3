/** What the built-in tools need to know of the place they work in. */
import { relative } from 'node:path';
import { resolveFrom } from '@sidenote/node';
import type { Tasks } from '../tasks/tasks.js';

export type ToolEnvironment = {
  /** Absolute. Relative paths are resolved from here, and commands start here. */
  readonly cwd: string;
  /** Environment of commands; limits of `Bash` are read from it as well. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder for long command output. */
  readonly outputDir: string;
  readonly tasks: Tasks;
  /** Ends an agent that runs in the background and says so; undefined when none of this id runs. Default: there are no agents. */
  readonly stopAgent?: (id: string) => Promise<string | undefined>;
  /** Tells the model something later, and wakes it. Default: nobody is there to be told, so nothing can be monitored. */
  readonly notify?: (text: string) => void;
  /** What `~` stands for. Default: the account's home. */
  readonly home?: string;
  /** False for files that a rule keeps from the model: searches pass over them. Default: all may be read. */
  readonly mayRead?: (path: string) => Promise<boolean>;
  /** What stands against a file's new text, or what the model should know of it, as the middle of a sentence. Default: nothing. */
  readonly judgeText?: (file: {
    readonly path: string;
    readonly text: string;
    readonly before: string | undefined;
  }) => Promise<TextVerdict>;
};

export type TextVerdict = { readonly type: 'allowed' } | { readonly type: 'near' | 'refused'; readonly why: string };

/** The absolute path of what a model named. */
export const absolute = (environment: ToolEnvironment, path: string): string => resolveFrom(environment.cwd, path, environment.home);

/** A path as it is shown: relative to the working directory where it lies inside. */
export function shownPath(environment: ToolEnvironment, path: string): string {
  const inside = relative(environment.cwd, path);
  const shown = inside === '' ? '.' : inside.startsWith('..') ? path : inside;
  // A name with a line end in it must not look like two.
  return /[\0-\x1f\x7f]/.test(shown) ? JSON.stringify(shown) : shown;
}
