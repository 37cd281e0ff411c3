/** The built command as a process of its own: a project with one rule, a fake home, and no network but a loopback model. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { loopbackModel, type LoopbackModel, type Reply } from './loopback-model.testing.js';

/** `sidenote` as `npm run build` makes it. */
export const MAIN = join(import.meta.dirname, '../../dist/main.js');

export type Run = {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  /** What of standard output is a JSON object on a line. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
};
export type RunOptions = {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The project unless named. */
  readonly cwd?: string;
  readonly during?: (child: ChildProcessWithoutNullStreams) => void;
};

/** Folders for each test of a file, removed after it; the model is the one of the last `serve`. */
export function workplace() {
  let [root, project] = ['', ''];
  let model: LoopbackModel | undefined;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-cli-')));
    project = join(root, 'project');
    await mkdir(project);
    await mkdir(join(root, 'home'));
    await writeFile(join(project, 'AGENTS.md'), 'RULE-FERN\n');
  });
  afterEach(async () => {
    await model?.close();
    model = undefined;
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  });
  return {
    get root() {
      return root;
    },
    get project() {
      return project;
    },
    get model() {
      return model;
    },
    serve: async (...replies: readonly Reply[]): Promise<LoopbackModel> => (model = await loopbackModel(replies)),
    /** A scripted model that says one thing, as a value of `--model`. */
    scripted: async (): Promise<string> => {
      const file = join(root, 'script.json');
      await writeFile(file, JSON.stringify([{ type: 'text', text: 'scripted' }]));
      return `script:${file}`;
    },
    sidenote: (args: readonly string[], { stdin = '', env, cwd = project, during }: RunOptions = {}): Promise<Run> => {
      const child = spawn(process.execPath, [MAIN, ...args], {
        cwd,
        env: {
          PATH: process.env['PATH'],
          HOME: join(root, 'home'),
          TERM: 'dumb',
          ...(model === undefined ? {} : { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' }),
          ...env,
        },
      });
      child.stdin.end(stdin);
      during?.(child);
      return outcomeOf(child);
    },
  };
}

function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Run> {
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => {
    child.on('close', (status) => {
      const lines = out.split('\n').flatMap((line) => (line.startsWith('{"') ? [JSON.parse(line) as Record<string, unknown>] : []));
      resolve({ status, out, err, lines });
    });
  });
}

/** A prompt as a line of `stream-json`. */
export const userLine = (content: string): string => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
export const resultsOf = ({ lines }: Pick<Run, 'lines'>) => lines.filter(({ type }) => type === 'result');
