/** Adapters by model name, made when first needed; also for the names that stored sessions hold. */
import { pickAdapter, type Picked, type PickOptions } from '@sidenote/agent';
import type { ModelAdapter } from '@sidenote/engine';

/** A name that no model answers to: no provider, no key, no readable script. The message says what to do. */
export class ModelUnavailableError extends Error {
  override readonly name = 'ModelUnavailableError';
  static isInstance(error: unknown): error is ModelUnavailableError {
    return error instanceof Error && error.name === 'ModelUnavailableError';
  }
}

export interface Models {
  /** What a name as people write it (`opus`, `openai:qwen3`) stands for. */
  pick(name: string | undefined): Picked;
  /** @throws {ModelUnavailableError}. */
  use(name: string | undefined): { readonly model: string; readonly adapter: ModelAdapter };
  /** Adapter for a full name, as requests hold it. @throws {ModelUnavailableError}. */
  adapter(model: string): ModelAdapter;
}

export function createModels(env: Readonly<Record<string, string | undefined>>, options: PickOptions): Models {
  const adapters = new Map<string, ModelAdapter>();
  const pick = (name: string | undefined): Picked => pickAdapter(name, env, options);
  const use: Models['use'] = (name) => {
    const picked = pick(name);
    if (picked.type !== 'adapter') throw new ModelUnavailableError(picked.message);
    adapters.set(picked.model, picked.adapter);
    return picked;
  };
  return {
    pick,
    use,
    adapter(model) {
      const known = adapters.get(model);
      if (known !== undefined) return known;
      // A session of an OpenAI-compatible server holds the server's own name of the model.
      const name = pick(model).type === 'unusable' && pick(`openai:${model}`).type === 'adapter' ? `openai:${model}` : model;
      const { adapter } = use(name);
      adapters.set(model, adapter);
      return adapter;
    },
  };
}
