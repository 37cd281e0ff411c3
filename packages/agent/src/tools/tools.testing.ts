/** What the tests of this folder stand on: a folder on a real disk, tools that work in it, and the views a thread would keep. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Blobs, Effect, FileView, ToolOutcome } from '@sidenote/engine';
import { digestOf } from '@sidenote/node';
import { createTasks } from '../tasks/tasks.js';
import type { ToolEnvironment } from './environment.js';
import type { AnyTool, ToolContext } from './tool.js';

export type Bench = {
  readonly cwd: string;
  readonly environment: ToolEnvironment;
  readonly views: Map<string, FileView>;
  readonly blobs: Blobs & { readonly texts: ReadonlyMap<string, string> };
  put(file: string, content: string | Uint8Array): string;
  git(...args: readonly string[]): string;
  /** Parses and runs, and keeps the views of what was read and written, as a thread does. */
  use(tool: AnyTool, input: unknown, context?: Partial<ToolContext>): Promise<ToolOutcome>;
  close(): Promise<void>;
};

export function openBench(options: Partial<ToolEnvironment> = {}): Bench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sidenote-tools-')));
  const cwd = join(root, 'project');
  mkdirSync(cwd);
  const tasks = createTasks({ folder: join(root, 'tasks') });
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const environment: ToolEnvironment = { cwd, env, outputDir: join(root, 'output'), tasks, home: join(root, 'home'), ...options };
  const views = new Map<string, FileView>();
  const texts = new Map<string, string>();
  const blobs = {
    texts,
    async put(text: string) {
      const digest = digestOf(text);
      texts.set(digest, text);
      return digest;
    },
    get: async (digest: string) => texts.get(digest) ?? null,
  };
  return {
    cwd,
    environment,
    views,
    blobs,
    put(file, content) {
      const path = join(cwd, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    git: (...args) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, env, encoding: 'utf8' }),
    async use(tool, input, context = {}) {
      const parsed = tool.parse(input);
      if (!parsed.ok) throw new Error(parsed.message);
      const outcome = await tool.run(parsed.input, {
        signal: new AbortController().signal,
        call: 'call',
        views,
        blobs,
        transcript: { read: (fold) => fold.initial() },
        progress: () => {},
        thread: 'main',
        report: () => {},
        isChanged: false,
        denied: () => {},
        ...context,
      });
      for (const effect of outcome.effects ?? []) remember(views, effect);
      return outcome;
    },
    async close() {
      await tasks.dispose();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function remember(views: Map<string, FileView>, effect: Effect): void {
  if (effect.type === 'viewed' || effect.type === 'wrote') views.set(effect.view.path, effect.view);
}

/** The text of a result. */
export function textOf(outcome: ToolOutcome): string {
  return outcome.content.map((block) => ('text' in block ? block.text : `[${block.type}]`)).join('\n');
}
