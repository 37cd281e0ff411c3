/** One question to a model beside the conversation: no tools, no history, nothing kept. */
import type { Aside, MessagesBody, ModelAdapter, RequestPlan } from '@sidenote/engine';
import { textOf } from '../loop/ask-model.js';

export type Question = {
  readonly system: string;
  readonly words: string;
  /** Hears what the answer took: it is paid for like any other. Awaited; must not reject. */
  readonly spent?: ((aside: Aside) => void | Promise<void>) | undefined;
};

/** The text of the answer. Rejects when the model fails, or ends without a word. */
export async function askOnce(adapter: ModelAdapter, { system, words, spent }: Question, signal: AbortSignal): Promise<string> {
  const { model } = adapter.profile;
  const body: MessagesBody = {
    model,
    system: [{ type: 'text', text: system }],
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: words }] }],
  };
  for await (const event of adapter.stream(alone(), body, signal)) {
    if (event.type === 'response-failed') throw new Error(event.failure.message);
    if (event.type === 'response-ended') {
      await spent?.({ model, usage: event.message.usage });
      return textOf(event.message.content);
    }
  }
  throw new Error(`${model} ended its answer without a word`);
}

/** Of a request that stands alone. */
function alone(): RequestPlan {
  const nothing = { read: 0, write5m: 0, write1h: 0, fresh: 0 };
  return { id: '', prefix: '', head: '', sealed: 0, ancestor: null, previous: null, moved: null, marks: [], expected: nothing, owners: [] };
}
