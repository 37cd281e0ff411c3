/** The three output formats: what of a run goes to standard output, and in which form. */
import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '@sidenote/agent';
import type { Content, Id } from '@sidenote/engine';
import type { Conversation } from '../conversation.js';
import type { Sink } from '../io.js';
import { clean } from '../terminal/clean.js';
import { partialEvents } from './partial-events.js';
import type { PromptResult } from './prompt-result.js';
import { assistantLine, initLine, promptLine, resultLine, systemLine, toolResultLine, type StreamLine } from './stream-lines.js';

export interface Reporter {
  /** A session stands; again after it was exchanged for another. */
  opened(conversation: Conversation): Promise<void>;
  prompted(content: readonly Content[]): void;
  event(event: AgentEvent): void;
  /** Exactly once per prompt. `session` is null when none could be opened. */
  ended(result: PromptResult, session: string | null): void;
}

export type ReporterOptions = {
  readonly out: Sink & { readonly isTTY?: boolean };
  readonly partial: boolean;
  readonly replay: boolean;
  /** Names of the built-in slash commands. */
  readonly commands: readonly string[];
};

/** The answer alone: nothing that went wrong can be taken for one. */
export function textReporter({ out }: ReporterOptions): Reporter {
  return {
    opened: async () => {},
    prompted: () => {},
    event: () => {},
    ended: (result) => {
      if (result.isError || result.text === '') return;
      // A program gets every byte; a terminal would obey what a model was talked into saying.
      const text = out.isTTY === true ? clean(result.text) : result.text;
      out.write(text.endsWith('\n') ? text : `${text}\n`);
    },
  };
}

/** One JSON object per prompt, on one line. */
export function jsonReporter({ out }: ReporterOptions): Reporter {
  return {
    opened: async () => {},
    prompted: () => {},
    event: () => {},
    ended: (result, session) => out.write(`${JSON.stringify(resultLine(session, result))}\n`),
  };
}

/** Every message as it is complete, one JSON object per line. */
export function streamReporter(options: ReporterOptions): Reporter {
  let session = '';
  let model = '';
  const partial = partialEvents(() => model);
  const write = (line: StreamLine): void => options.out.write(`${JSON.stringify(line)}\n`);
  return {
    opened: async (conversation) => {
      session = conversation.session.id;
      model = conversation.model;
      const others = await conversation.commands.list();
      const agents = [...((await conversation.agents?.types()) ?? new Map<string, unknown>()).keys()];
      const skills = others.filter(({ isSkill }) => isSkill === true).map(({ name }) => name);
      const { name: style } = await conversation.styles.current();
      write(initLine(conversation, { commands: [...options.commands, ...others.map(({ name }) => name)], skills, agents, style }));
    },
    prompted: (content) => {
      if (options.replay) write(promptLine(session, content));
    },
    event: (event) => {
      if (options.partial) {
        for (const part of partial(event)) {
          write({ type: 'stream_event', event: part, parent_tool_use_id: null, session_id: session, uuid: randomUUID() });
        }
      }
      for (const line of linesOf(session, event)) write(line);
    },
    ended: (result, id) => write(resultLine(id, result)),
  };
}

/** What happens in a sub-agent stands under the call that runs it. */
function linesOf(session: string, event: AgentEvent, parent: Id | null = null): readonly StreamLine[] {
  if (event.type === 'subagent-progressed') return linesOf(session, event.event, event.call);
  if (event.type === 'response-ended') return [assistantLine(session, event.message, parent)];
  if (event.type === 'tool-ended') return [toolResultLine(session, event.call, event.outcome, parent)];
  const line = systemLine(session, event);
  return line === undefined ? [] : [line];
}
