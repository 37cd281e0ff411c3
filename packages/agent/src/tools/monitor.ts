/** `Monitor`: a background command whose output is watched; lines that match a pattern are told as they come, at a bounded rate. */
import { taskTold } from '@sidenote/engine';
import type { ToolEnvironment } from './environment.js';
import { inputOf, optional, text } from './input.js';
import { refused, said } from './outcome.js';
import type { Tool } from './tool.js';

export type MonitorInput = { readonly command: string; readonly pattern: string; readonly description: string | undefined };

/** `notify` tells the model later. */
export function monitorTool({ cwd, env, tasks, notify }: ToolEnvironment & Required<Pick<ToolEnvironment, 'notify'>>): Tool<MonitorInput> {
  const input = inputOf('Monitor', {
    command: text(),
    pattern: text('regular expression for lines'),
    description: optional(text()),
  });
  return {
    spec: {
      name: 'Monitor',
      description: 'Run a command in the background and be told of output lines that match.',
      input_schema: input.schema,
    },
    access: 'execute',
    parse: (value) => {
      const parsed = input.parse(value);
      return parsed.ok && parsed.input.command.trim() === '' ? { ok: false, message: 'command is empty' } : parsed;
    },
    title: ({ command, pattern }) => `Monitor /${pattern}/ in ${command}`,
    async run({ command, pattern, description }) {
      const [{ lineWatch }, { boundedNews }] = await Promise.all([import('../tasks/line-watch.js'), import('../tasks/bounded-news.js')]);
      const watch = lineWatch(pattern);
      if (watch === undefined) return refused(`pattern is no regular expression: ${pattern.slice(0, 200)}`);
      const news = boundedNews((lines) => notify(`${id}: lines that match /${pattern}/:\n${lines}`));
      let failed = false;
      const tell = (lines: readonly string[]): void => {
        news.add(lines);
        if (watch.failure !== undefined && !failed) news.add([`(No longer watched: ${watch.failure}. The command runs on.)`]);
        failed = watch.failure !== undefined;
      };
      const { id, file } = tasks.startBackground({
        type: 'monitor',
        command,
        cwd,
        env,
        ...(description === undefined ? {} : { description }),
        onOutput: (output) => tell(watch.add(output)),
        onClose: () => {
          tell(watch.end());
          news.end();
        },
      });
      return said(
        `Watching in the background as ${id}. You will be told of lines that match, and of its end; TaskStop ends it. Output: ${file}`,
        {
          effects: [taskTold({ id, state: 'running' })],
        },
      );
    },
  };
}
