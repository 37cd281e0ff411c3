/** A model that says what a script tells it to: for tests, examples and a demo without a key or a network. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, profileOf } from '@sidenote/engine';
import type { MessagesBody, ModelAdapter, ModelEvent, ModelFailure, Ports, Returned, Usage } from '@sidenote/engine';
import { failureOf } from './failure.js';
import type { Script, ScriptBlock, ScriptStep } from './script.js';

export type ScriptedOptions = {
  /** Name of the model that it plays; its facts come from the engine's table. Default `scripted`. */
  readonly model?: string;
  /** For `delay_ms`. Default: the machine's. */
  readonly clock?: Pick<Ports['clock'], 'sleep'>;
  /** Where the shell commands of the script run. Default: the process's folder. */
  readonly cwd?: string;
};

const run = promisify(execFile);
const lastStep: ScriptStep = { content: [{ type: 'text', text: 'done' }] };

/** Words of the messages before the first answer. */
function openingText(body: MessagesBody): string {
  const first = body.messages.findIndex(({ role }) => role === 'assistant');
  const opening = first < 0 ? body.messages : body.messages.slice(0, first);
  return opening.flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : []))).join('\n');
}

/** Three parts at most, whole characters each. */
function parts(text: string): readonly string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / 3));
  return [0, size, 2 * size].map((from) => characters.slice(from, from + size).join('')).filter((part) => part !== '');
}

function usageOf(step: ScriptStep, body: MessagesBody): Usage {
  const estimate = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);
  return {
    input_tokens: estimate(body),
    output_tokens: estimate(step.content),
    cache_read_input_tokens: null,
    cache_creation_input_tokens: null,
    ...step.usage,
  };
}

/** `place` makes ids unique in a conversation, also after a resume: it holds the step and the length of the history. */
function blockOf(block: ScriptBlock, place: string): Returned & Readonly<Record<string, unknown>> {
  if (block.type === 'tool_use')
    return { type: 'tool_use', id: block.id ?? `toolu_${place}`, name: block.name, input: structuredClone(block.input) };
  return block.type === 'thinking' ? { ...block, signature: block.signature ?? `scripted-${place}` } : { ...block };
}

function deltasOf(block: ScriptBlock, index: number): readonly ModelEvent[] {
  if (block.type === 'tool_use') return [{ type: 'input-delta', index, text: JSON.stringify(block.input) }];
  return parts(block.type === 'text' ? block.text : block.thinking).map((text) => ({
    type: block.type === 'text' ? 'text-delta' : 'thinking-delta',
    index,
    text,
  }));
}

/** Takes the steps in order, one per request; after the last one the model says "done". */
export function scriptedAdapter(script: Script | readonly ScriptStep[], options: ScriptedOptions = {}): ModelAdapter {
  const { model = 'scripted', clock = { sleep: (ms, signal) => wait(ms, undefined, { signal }) }, cwd } = options;
  const { steps, agents = [] }: Script = 'steps' in script ? script : { steps: script };
  const tracks = [...agents, { match: '', steps }].map((track) => ({ ...track, taken: 0 }));

  const next = (body: MessagesBody): { readonly step: ScriptStep; readonly place: string } => {
    const opening = openingText(body);
    const track = tracks.find(({ match }) => opening.includes(match));
    const at = track?.taken ?? 0;
    if (track !== undefined) track.taken += 1;
    return { step: track?.steps[at] ?? lastStep, place: `script_${at + 1}_${body.messages.length}` };
  };

  /** What comes before the answer; a failure when there will be none. */
  const prepare = async (step: ScriptStep, signal: AbortSignal): Promise<ModelFailure | null> => {
    try {
      if (step.delay_ms !== undefined) await clock.sleep(step.delay_ms, signal);
      const folder = step.cwd ?? cwd;
      if (step.shell !== undefined) await run('/bin/sh', ['-c', step.shell], { signal, ...(folder === undefined ? {} : { cwd: folder }) });
    } catch (error) {
      if (signal.aborted) return { type: 'aborted', message: 'The request was interrupted.' };
      return {
        type: 'fatal',
        status: null,
        message: `A command of the script failed: ${messageOf(error)}`,
      };
    }
    if (step.error === undefined) return null;
    const { status, type: kind, message, retry_after_ms: ms } = step.error;
    const headers = { get: (name: string) => (name === 'retry-after-ms' && ms !== undefined ? String(ms) : null) };
    return failureOf({ status, kind, message, headers, server: 'the script', keyVariable: 'ANTHROPIC_API_KEY' }, 0);
  };

  return {
    profile: profileOf(model),
    async *stream(_plan, body, signal): AsyncGenerator<ModelEvent, void, void> {
      const failed = (failure: ModelFailure, complete: readonly Returned[] = []): ModelEvent => ({
        type: 'response-failed',
        failure,
        complete,
      });
      const aborted = (complete?: readonly Returned[]) => failed({ type: 'aborted', message: 'The request was interrupted.' }, complete);
      if (signal.aborted) return void (yield aborted());
      const { step, place } = next(body);
      const failure = await prepare(step, signal);
      if (failure !== null) return void (yield failed(failure));
      const usage = usageOf(step, body);
      yield { type: 'response-started', usage: { ...usage, output_tokens: 0 } };
      const content: Returned[] = [];
      const cutAt = step.cut === 'input' ? step.content.length - 1 : step.content.length;
      for (const [index, block] of step.content.entries()) {
        for (const delta of deltasOf(block, index)) {
          if (signal.aborted) return void (yield aborted(content));
          yield delta;
          if (index === cutAt) break;
        }
        if (index < cutAt) content.push(blockOf(block, `${place}_${index + 1}`));
      }
      if (signal.aborted) return void (yield aborted(content));
      if (step.cut !== undefined) return void (yield failed({ type: 'cut', message: 'The answer of the script broke off.' }, content));
      const stop = step.stop_reason ?? (step.content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn');
      yield { type: 'response-ended', message: { id: `msg_${place}`, model, content, stop_reason: stop, usage } };
    },
  };
}
