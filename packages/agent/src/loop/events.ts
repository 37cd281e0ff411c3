/** What happens in a turn, as typed events. Screens, print mode and other clients are built on these alone. */
import type { AssistantMessage, Collected, Id, RequestPlan, Retry, Standing, ToolCall, ToolOutcome, Usage } from '@sidenote/engine';
import type { HookSaid } from '@sidenote/node';
import type { PermissionRequest } from '../permissions/ask.js';

export type AgentEvent =
  | { readonly type: 'attachment-injected'; readonly kind: string; readonly title: string }
  /** A kind that was late, failed, unavailable, cut or off, at each moment anew; or one with `notes`: a line each, once. */
  | { readonly type: 'attachment-reported'; readonly collected: Collected }
  | { readonly type: 'request-started'; readonly plan: RequestPlan }
  | { readonly type: 'response-started'; readonly usage: Usage }
  | { readonly type: 'text-delta' | 'thinking-delta'; readonly text: string }
  | { readonly type: 'response-ended'; readonly message: AssistantMessage }
  /** What had been streamed and is not part of the conversation. */
  | { readonly type: 'response-dropped'; readonly why: string }
  | { readonly type: 'retry-scheduled'; readonly attempt: number; readonly afterMs: number; readonly why: string }
  /** The request is made anew under a new prefix, since the model declined, did not answer, or refused a part of it. */
  | { readonly type: 'request-remade'; readonly how: Retry; readonly text: string }
  /** A summary is about to take the place of the conversation. `survives`: what is not lost by it. */
  | {
      readonly type: 'compaction-started';
      readonly trigger: CompactionTrigger;
      readonly tokens: number;
      readonly survives: readonly Standing[];
    }
  | { readonly type: 'compaction-ended'; readonly result: CompactionResult }
  | { readonly type: 'permission-requested'; readonly request: PermissionRequest }
  /** `rules` would have let it run, where the only reason is that nobody is there to ask. */
  | { readonly type: 'permission-denied'; readonly call: ToolCall; readonly why: string; readonly rules?: readonly string[] }
  | { readonly type: 'tool-started'; readonly call: ToolCall; readonly title: string }
  | { readonly type: 'tool-progressed'; readonly call: Id; readonly text: string }
  | { readonly type: 'tool-ended'; readonly call: ToolCall; readonly outcome: ToolOutcome }
  | SubagentEvent
  | { readonly type: 'notice'; readonly level: 'info' | 'warning'; readonly text: string }
  /** A hook ends the turn: calls that have not begun are not run. */
  | { readonly type: 'turn-stopped'; readonly by: HookSaid }
  | { readonly type: 'turn-ended'; readonly result: TurnResult };

/** What happens in a turn of a sub-agent, under the call that runs it. */
export type SubagentEvent = {
  readonly type: 'subagent-progressed';
  readonly call: Id;
  /** The sub-agent's thread. */
  readonly agent: Id;
  readonly event: AgentEvent;
};

export type CompactionTrigger = 'auto' | 'manual' | 'overflow';

export type CompactionResult = {
  readonly trigger: CompactionTrigger;
  /**
   * `summarised`: by the model. `plain`: without one, from the record, since it gave no summary. `refused`: a hook objects.
   * `nothing`: there was nothing to compact. After these two, `failed` and `interrupted` the session is as it was.
   */
  readonly outcome: 'summarised' | 'plain' | 'refused' | 'failed' | 'interrupted' | 'nothing';
  /** One line: why there is no summary by the model, or none at all. */
  readonly why?: string;
  /** Tokens of the window, about. Equal when nothing was changed. */
  readonly before: number;
  readonly after: number;
  /** Newest messages that stay as they are. */
  readonly kept: number;
  /** What is in the new window again, or comes with the next message. */
  readonly survives: readonly Standing[];
  readonly usage: Usage;
  /** US dollars; null when the model's price is not known. */
  readonly usd: number | null;
};

export type TurnResult = {
  /** `stopped`: a hook has refused the prompt, or ended the turn. `max-budget-…`: the session has taken what it may. */
  readonly reason: 'done' | 'interrupted' | 'failed' | 'max-turns' | 'stopped' | 'max-budget-usd' | 'max-budget-tokens';
  /** Text of the last answer; or what went wrong and what to do. */
  readonly text: string;
  /** Sum over the turn's requests. */
  readonly usage: Usage;
  /** Model responses in this turn. */
  readonly steps: number;
  readonly durationMs: number;
  readonly apiMs: number;
  /** US dollars; null when the model's price is not known. */
  readonly usd: number | null;
  readonly denied: readonly ToolCall[];
  /** What was thrown, when neither the model nor a person ended the turn: a store that is full, say. `text` is its message. */
  readonly error?: unknown;
};
