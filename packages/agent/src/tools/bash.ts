/** `Bash`: one shell command, in the foreground with a limit or in the background as a task. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { taskTold, type ToolOutcome } from '@sidenote/engine';
import { envNumber } from '@sidenote/node';
import { runCommand, type CommandResult } from '../process/run-command.js';
import type { ToolEnvironment } from './environment.js';
import { flag, inputOf, integer, optional, text } from './input.js';
import { refused, said } from './outcome.js';
import { plainOutput } from './plain-output.js';
import type { Tool } from './tool.js';

export type BashInput = {
  readonly command: string;
  readonly description: string | undefined;
  readonly timeout: number | undefined;
  readonly run_in_background: boolean | undefined;
};

export function bashTool(environment: ToolEnvironment): Tool<BashInput> {
  const { cwd, env, outputDir, tasks } = environment;
  const limits = bashLimits(env);
  const input = inputOf('Bash', {
    command: text(),
    description: optional(text('what it does, in a few words')),
    timeout: optional(integer({ min: 1 }, `ms; default ${limits.defaultMs}, at most ${limits.maxMs}`)),
    run_in_background: optional(flag('for servers and long jobs; read with TaskOutput')),
  });
  return {
    spec: {
      name: 'Bash',
      description:
        'Run a shell command. Each call starts in the working directory: a cd does not last. ' +
        'stdin is empty, stderr comes with stdout, long output is cut and kept in a file. ' +
        'To read, search or change files use Read, Grep, Glob, Edit and Write.',
      input_schema: input.schema,
    },
    access: 'execute',
    parse: (value) => {
      const parsed = input.parse(value);
      return parsed.ok && parsed.input.command.trim() === '' ? { ok: false, message: 'command is empty' } : parsed;
    },
    title: ({ command }) => `Bash ${command}`,
    async run({ command, description, timeout, run_in_background }, context) {
      if (run_in_background === true) {
        const { id, file } = tasks.startBackground({ command, cwd, env, ...(description === undefined ? {} : { description }) });
        return said(
          `Started in the background as ${id}. You will be told when it ends; TaskOutput reads it, TaskStop ends it. Output: ${file}`,
          { effects: [taskTold({ id, state: 'running' })] },
        );
      }
      const timeoutMs = Math.min(timeout ?? limits.defaultMs, limits.maxMs);
      const result = await runCommand({
        command,
        cwd,
        env,
        timeoutMs,
        signal: context.signal,
        onOutput: (part) => context.progress(part),
        capture: { file: join(outputDir, `bash-${randomUUID()}.log`) },
      });
      const paths = result.type === 'not-started' ? [] : (await import('./shell-paths.js')).evidentPaths(command, environment);
      const outcome = outcomeOf(result, timeoutMs);
      return paths.length === 0 ? outcome : { ...outcome, effects: paths.map((path) => ({ type: 'touched', path })) };
    },
  };
}

/** Milliseconds that a command may take: `BASH_DEFAULT_TIMEOUT_MS` and `BASH_MAX_TIMEOUT_MS`, whose `SIDENOTE_` twins win. */
export function bashLimits(env: ToolEnvironment['env']): { readonly defaultMs: number; readonly maxMs: number } {
  const defaultMs = envNumber(env, 'BASH_DEFAULT_TIMEOUT_MS') ?? 120_000;
  return { defaultMs, maxMs: Math.max(defaultMs, envNumber(env, 'BASH_MAX_TIMEOUT_MS') ?? 600_000) };
}

function outcomeOf(result: CommandResult, timeoutMs: number): ToolOutcome {
  if (result.type === 'not-started') return refused(`The command could not be started: ${result.why}`);
  const output = plainOutput(result.output);
  const silent = output.trim() === '';
  if (result.timedOut) return refused(withOutput(`Timed out after ${timeoutMs} ms; it was ended with all it had started.`, output));
  if (result.aborted) return refused(withOutput('Interrupted; it was ended with all it had started.', output));
  if (result.exit === 0) return said(silent ? '(no output)' : output);
  return refused(withOutput(result.exit === null ? `Ended by ${result.signal}` : `Exit code ${result.exit}`, output));
}

const withOutput = (first: string, output: string): string => (output.trim() === '' ? `${first}\n(no output)` : `${first}\n${output}`);
