/**
 * A gate for agents that start side by side with the same beginning: until the first one's answer has begun, none of them
 * could read its cache, and each would pay for writing it.
 */
import type { MessagesBody, ModelAdapter, ModelEvent, RequestPlan } from '@sidenote/engine';

type AdapterOf = (model: string) => ModelAdapter;

/** A function that puts the gate before the first request of one agent. */
export function firstRequests(): (adapter: AdapterOf) => AdapterOf {
  const flying = new Map<string, Promise<void>>();

  async function* first(adapter: ModelAdapter, ...[plan, body, signal]: Parameters<ModelAdapter['stream']>): AsyncGenerator<ModelEvent> {
    const key = beginning(body);
    const before = flying.get(key);
    if (before !== undefined) {
      await started(before, signal);
      yield* adapter.stream(plan, body, signal);
      return;
    }
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    flying.set(key, gate);
    const release = (): void => {
      if (flying.get(key) === gate) flying.delete(key);
      open();
    };
    try {
      for await (const event of adapter.stream(plan, body, signal)) {
        if (event.type === 'response-started') release();
        yield event;
      }
    } finally {
      release();
    }
  }

  return (adapterOf) => {
    let isFirst = true;
    return (model) => {
      const adapter = adapterOf(model);
      return {
        profile: adapter.profile,
        stream(plan: RequestPlan, body: MessagesBody, signal: AbortSignal) {
          if (!isFirst) return adapter.stream(plan, body, signal);
          isFirst = false;
          return first(adapter, plan, body, signal);
        },
      };
    };
  };
}

/** What agents of one kind have in common: everything before their task. */
function beginning({ model, tools, system, messages }: MessagesBody): string {
  return JSON.stringify([model, tools, system, messages.slice(0, -1)]);
}

function started(gate: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    void gate.then(resolve);
  });
}
