/** What happens, as a hook is told of it; and what all hooks of an event have to say together. */
import type { HookText, Json } from '@sidenote/engine';
import type { HookEventName } from './events.js';

export type HookCall = {
  readonly event: HookEventName;
  /** What matchers are held against: the tool's name, how a session began … */
  readonly subject?: string;
  /** The event's own fields of the input, named as hooks know them: `tool_name`, `prompt` … */
  readonly fields: Readonly<Record<string, Json | undefined>>;
};

/** Text of one hook, or its head: what `thread.attach` takes. */
export type HookSaid = HookText;

/** The kind of attachment that carries a text to the model. */
export type HookTextKind = 'hook_additional_context' | 'hook_success';

export type HookPermission = {
  readonly type: 'allow' | 'ask' | 'defer' | 'deny';
  readonly hook: string;
  /** Empty when the hook gave none. */
  readonly reason: string;
};

/** One line for a person. `info`: of use to those who want to see everything. */
export type HookNote = { readonly level: 'info' | 'warning'; readonly text: string };

export type HookOutcome = {
  /** To be told to the model, in the order in which settings hold the hooks. */
  readonly texts: readonly (HookSaid & { readonly kind: HookTextKind })[];
  /** Objections: to the prompt, to what a tool did, to the end of the turn, to a compaction. */
  readonly blocks: readonly HookSaid[];
  /** `continue: false`: everything ends here. */
  readonly stop?: HookSaid;
  /** The strongest answer: deny, then defer, ask, allow. */
  readonly permission?: HookPermission;
  /** What the tool is to be called with. */
  readonly input?: Readonly<Record<string, Json>>;
  /** What the model is to get in place of the tool's output. */
  readonly output?: Json;
  readonly notes: readonly HookNote[];
};

export type HookRunning = {
  /** Hooks that still run are ended, and say nothing. */
  readonly signal?: AbortSignal;
  /** One line, when a hook takes longer than a person would wait without a word. */
  readonly waiting?: (line: string) => void;
};
