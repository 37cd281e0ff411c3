/** Background commands of one process: started, read, stopped, and all ended when the agent closes. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { runCommand, type CommandResult } from '../process/run-command.js';
import { readOutput } from './read-output.js';

export type TaskStatus = {
  readonly id: string;
  /** `monitor`: its output is watched. */
  readonly type: 'command' | 'monitor';
  readonly command: string;
  readonly description?: string;
  /** All of the output so far. */
  readonly file: string;
  /** `failed`: ended with another code than 0, by a signal, or never started. */
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** Set once it ended by itself. */
  readonly exit?: number | null;
  readonly signal?: NodeJS.Signals | null;
  /** Why it could not start. */
  readonly why?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
};

export type TaskOutput = {
  readonly status: TaskStatus;
  /** Output since the last read; its tail when that is long. */
  readonly text: string;
  /** Bytes of new output before `text` that were left out. */
  readonly skipped: number;
};

export type BackgroundCommand = {
  /** Default `command`. */
  readonly type?: TaskStatus['type'];
  readonly command: string;
  /** Output as it arrives; then that there is no more, before its end is told. */
  readonly onOutput?: (text: string) => void;
  readonly onClose?: () => void;
  readonly description?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export interface Tasks {
  startBackground(command: BackgroundCommand): TaskStatus;
  /** Oldest first, ended ones included. */
  list(): readonly TaskStatus[];
  status(id: string): TaskStatus | undefined;
  /** Output since the last `read` of this task. At most `maxBytes` of it, default 30,000. */
  read(id: string, options?: { readonly maxBytes?: number }): Promise<TaskOutput | undefined>;
  /** The end of its output so far, at most `maxBytes` of it; `read` gives it again. */
  tail(id: string, options: { readonly maxBytes: number }): Promise<TaskOutput | undefined>;
  /** Resolves when the task ended, the time is over or the signal aborts. */
  wait(id: string, limits: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<void>;
  /** Ends a task with everything it started; resolves when it is gone. */
  stop(id: string): Promise<TaskStatus | undefined>;
  /** Ends all tasks. */
  dispose(): Promise<void>;
}

type Task = { status: TaskStatus; read: number; readonly abort: AbortController; readonly ended: Promise<void> };

/** `onEnd` is called once for each task that ended by itself, before `wait` resolves: whoever stops one knows already. */
export function createTasks(options: { readonly folder: string; readonly onEnd?: (status: TaskStatus) => void }): Tasks {
  const tasks = new Map<string, Task>();

  return {
    startBackground({ type = 'command', command, description, cwd, env, onOutput, onClose }) {
      // Random, so that a resumed session never meets an earlier run's task under the same name.
      const id = `${type === 'monitor' ? type : 'bash'}-${randomBytes(4).toString('hex')}`;
      const file = join(options.folder, `${id}.log`);
      const abort = new AbortController();
      const base = { id, type, command, file, startedAt: Date.now(), ...(description === undefined ? {} : { description }) };
      const ended = runCommand({
        command,
        cwd,
        env,
        signal: abort.signal,
        capture: { file, spillAfter: 0, keep: 0 },
        ...(onOutput === undefined ? {} : { onOutput }),
      }).then((result) => {
        onClose?.();
        task.status = { ...base, ...outcomeOf(result), endedAt: Date.now() };
        if (task.status.state !== 'stopped') options.onEnd?.(task.status);
      });
      const task: Task = { status: { ...base, state: 'running' }, read: 0, abort, ended };
      tasks.set(id, task);
      return task.status;
    },
    list: () => [...tasks.values()].map(({ status }) => status),
    status: (id) => tasks.get(id)?.status,
    async read(id, { maxBytes = 30_000 } = {}) {
      const task = tasks.get(id);
      if (task === undefined) return undefined;
      // The state first: what an ended task wrote is complete by then.
      const { status } = task;
      const { text, skipped, next } = await readOutput(status.file, { from: task.read, maxBytes });
      task.read = Math.max(task.read, next);
      return { status, text, skipped };
    },
    async tail(id, { maxBytes }) {
      const task = tasks.get(id);
      if (task === undefined) return undefined;
      const { status } = task;
      const { text, skipped } = await readOutput(status.file, { from: 0, maxBytes });
      return { status, text, skipped };
    },
    async wait(id, { timeoutMs, signal }) {
      const task = tasks.get(id);
      if (task === undefined || signal?.aborted) return;
      let timer: NodeJS.Timeout | undefined;
      let release = (): void => {};
      const given = new Promise<void>((resolve) => {
        release = resolve;
        timer = setTimeout(resolve, timeoutMs);
        signal?.addEventListener('abort', release, { once: true });
      });
      await Promise.race([task.ended, given]);
      clearTimeout(timer);
      signal?.removeEventListener('abort', release);
    },
    async stop(id) {
      const task = tasks.get(id);
      task?.abort.abort();
      await task?.ended;
      return task?.status;
    },
    async dispose() {
      for (const task of tasks.values()) task.abort.abort();
      await Promise.all([...tasks.values()].map(({ ended }) => ended));
    },
  };
}

function outcomeOf(result: CommandResult): Pick<TaskStatus, 'state' | 'exit' | 'signal' | 'why'> {
  if (result.type === 'not-started') return { state: 'failed', why: result.why };
  if (result.aborted) return { state: 'stopped' };
  return { state: result.exit === 0 ? 'done' : 'failed', exit: result.exit, signal: result.signal };
}
