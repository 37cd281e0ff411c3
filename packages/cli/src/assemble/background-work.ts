/** Work beside the conversation: commands and monitors of this process, and agents, as the model is told of them and as a person sees them. */
import { createTasks, describeTask, type Subagents, type Tasks, type TaskStatus } from '@sidenote/agent';
import { messageOf, type BackgroundTask, type Notice, type Session, type Source } from '@sidenote/engine';
import type { BackgroundView } from '../conversation.js';

export type BackgroundWork = {
  readonly tasks: Tasks;
  /** Tells the model something of a monitor. */
  notify(text: string): void;
  readonly port: Source<readonly BackgroundTask[]>;
  readonly view: BackgroundView;
};

export type BackgroundOptions = {
  /** Where output goes. */
  readonly folder: string;
  /** Undefined until it is open. */
  readonly session: () => Session | undefined;
  readonly agents: () => Subagents | undefined;
  /** One line for the person. */
  readonly tell: (line: string) => void;
  /** Something that the agent waits for has news. */
  readonly news: () => void;
};

/** Bytes of output that a person is shown. */
const SHOWN = 8_000;

export function backgroundWork({ folder, session, agents, tell, news }: BackgroundOptions): BackgroundWork {
  const tellModel = async (notice: Pick<Notice, 'text' | 'task'>): Promise<void> => {
    try {
      // The line holds the model's own command, so it is not the client's word.
      await session()?.notify({ ...notice, trust: 'third-party', wake: true });
      news();
    } catch (error) {
      tell(messageOf(error));
    }
  };
  const tasks = createTasks({
    folder,
    onEnd: (status) => {
      const line = describeTask(status);
      tell(line);
      void tellModel({ text: line, task: { id: status.id, state: status.state } });
    },
  });
  const list = (): readonly BackgroundTask[] => [
    ...tasks.list().map(ofCommand),
    ...(agents()?.list() ?? []).filter(({ background }) => background).map(ofAgent),
  ];
  return {
    tasks,
    notify: (text) => void tellModel({ text }),
    port: { read: () => ({ type: 'ready', value: list(), version: '' }) },
    view: {
      list,
      async stop(id) {
        if ((await tasks.stop(id)) !== undefined) return true;
        return (await agents()?.stop(id, 'the person stopped it')) !== undefined;
      },
      async output(id) {
        const output = await tasks.tail(id, { maxBytes: SHOWN });
        return output === undefined ? undefined : `${output.skipped > 0 ? `[… all of it in ${output.status.file}]\n` : ''}${output.text}`;
      },
    },
  };
}

/** One that ends by itself tells it by a notification; one that is stopped does not. */
function ofCommand({ id, type, command, description, state }: TaskStatus): BackgroundTask {
  return {
    id,
    title: `${type} ${description ?? command}`,
    state,
    output: state === 'running' ? 'TaskOutput reads it, TaskStop ends it.' : 'TaskOutput reads it.',
    ...(state === 'done' || state === 'failed' ? { announced: true } : {}),
  };
}

function ofAgent({ id, type, description, state }: ReturnType<Subagents['list']>[number]): BackgroundTask {
  const output = state === 'running' ? 'SendMessage writes to it, TaskStop ends it.' : '';
  return { id, title: `agent ${type}: ${description}`, state, output, ...(state === 'running' ? {} : { announced: true }) };
}
