/** Rebuilds the events of a growing message (`--include-partial-messages`) from what the agent tells of it. */
import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '@sidenote/agent';
import type { Usage } from '@sidenote/engine';

type Event = Readonly<Record<string, unknown>> & { readonly type: string };
type Growing = { readonly index: number; readonly kind: 'text' | 'thinking' };

const START = { text: { type: 'text', text: '' }, thinking: { type: 'thinking', thinking: '', signature: '' } } as const;

/** A function from agent events to stream events; it remembers the block that is growing. */
export function partialEvents(model: () => string): (event: AgentEvent) => readonly Event[] {
  let block: Growing | undefined;
  let next = 0;
  let usage: Usage | undefined;
  const close = (): Event[] => {
    const stop = block === undefined ? [] : [{ type: 'content_block_stop', index: block.index }];
    block = undefined;
    return stop;
  };
  const grow = (kind: Growing['kind'], text: string): Event[] => {
    const events: Event[] = [];
    let growing = block;
    if (growing?.kind !== kind) {
      events.push(...close());
      growing = { index: next++, kind };
      block = growing;
      events.push({ type: 'content_block_start', index: growing.index, content_block: START[kind] });
    }
    const delta = kind === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text };
    return [...events, { type: 'content_block_delta', index: growing.index, delta }];
  };
  return (event) => {
    switch (event.type) {
      case 'response-started': {
        next = 0;
        block = undefined;
        usage = event.usage;
        const message = {
          id: `msg_${randomUUID()}`,
          type: 'message',
          role: 'assistant',
          model: model(),
          content: [],
          stop_reason: null,
          usage,
        };
        return [{ type: 'message_start', message }];
      }
      case 'text-delta':
        return grow('text', event.text);
      case 'thinking-delta':
        return grow('thinking', event.text);
      case 'response-ended':
        return [
          ...close(),
          { type: 'message_delta', delta: { stop_reason: event.message.stop_reason, stop_sequence: null }, usage: event.message.usage },
          { type: 'message_stop' },
        ];
      case 'response-dropped':
        return [...close(), { type: 'message_stop' }];
      default:
        return [];
    }
  };
}
