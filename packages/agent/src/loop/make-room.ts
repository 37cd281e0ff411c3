/** Room in the window while a turn runs: made before a request when it is nearly full, and once when a provider refuses one as too long. */
import { countText, largest, type Content, type PromptInput, type Step } from '@sidenote/engine';
import type { Answered } from './ask-model.js';
import { compact, isSaid, type CompactOptions } from './compact.js';
import { dueNow, modelsNow, thresholdFor } from './compaction-due.js';
import type { AgentEvent } from './events.js';

export interface Room {
  /** To be asked before `added` is said, or results go out. Gives the request with which the turn goes on, when one was made. */
  before(added: readonly Content[]): AsyncGenerator<AgentEvent, Step | undefined, void>;
  /** The newest request was refused as too long. Undefined: there is no shorter one. */
  refused(): AsyncGenerator<AgentEvent, Step | undefined, void>;
  /** There was an answer: what is refused later is refused anew. */
  answered(): void;
  /** What a person is told of a refusal that stays: what is too big, and what helps. */
  tooLong(said: string): string;
}

/** Identity: what was tried in this turn, so that nothing is tried twice. */
export function makesRoom(options: Omit<CompactOptions, 'trigger' | 'wishes'>): Room {
  const { thread, signal } = options;
  let tried = false;
  let failed = false;
  let warned = false;
  return {
    async *before(added) {
      const due = signal.aborted ? { type: 'no' as const } : dueNow(options, added);
      if (due.type === 'vain' && !warned) {
        warned = true;
        yield { type: 'notice', level: 'warning', text: `The context window is nearly full: ${due.why}.` };
      }
      if (due.type !== 'due' || failed) return undefined;
      const { result, step } = yield* compact({ ...options, trigger: 'auto' });
      // What stands against it now does so at the next step, too.
      failed = result.outcome === 'failed' || result.outcome === 'refused';
      return step;
    },
    async *refused() {
      const { compacted, first } = thread.fullness;
      // A window that has just begun can't be made shorter, but for what an earlier turn had said in vain.
      if (tried || (compacted && first === null && !holdsLargeWords(options))) return undefined;
      tried = true;
      return (yield* compact({ ...options, trigger: 'overflow' })).step;
    },
    answered() {
      tried = false;
    },
    tooLong(said) {
      const newest = thread.transcript.window.findLast(isSaid)?.content ?? [];
      if (isLarge(newest, options)) {
        const words = countText(thread.tokens(newest));
        return `${said.replace(/\.$/, '')}. What was said last holds about ${words} tokens: put it into a file and name the file, or say less.`;
      }
      const fixed = thread.standing.filter(({ comes }) => comes !== 'when-touched');
      return `${said.replace(/\.$/, '')}. The request is too long for the context window, and there is nothing left to summarise: ${largest(fixed)}. Fewer tools, shorter instruction files or prompts, or a model with a larger window help.`;
    },
  };
}

/** Part of the threshold from which on words without an answer are what made a request too long. */
const LARGE = 0.25;

/** Before the newest words stand others, without an answer, that fill much of the window. */
function holdsLargeWords(options: RoomOptions): boolean {
  const said = options.thread.transcript.window.flatMap((record) => (isSaid(record) ? [record.content] : []));
  return isLarge(said.slice(0, -1).flat(), options);
}

type RoomOptions = Pick<CompactOptions, 'adapter' | 'thread' | 'compaction'>;

function isLarge(words: readonly Content[], options: RoomOptions): boolean {
  const { current } = modelsNow(options);
  if (current === undefined) return false;
  return options.thread.tokens(words) > thresholdFor(options.adapter(current).profile, options) * LARGE;
}

export const isTooLong = (answered: Answered): boolean => 'stopped' in answered && answered.failure?.type === 'too-long';

/** The words of a prompt, however it was given. */
export const contentOf = (input: PromptInput | string): readonly Content[] =>
  typeof input === 'string' ? [{ type: 'text', text: input }] : input.content;
