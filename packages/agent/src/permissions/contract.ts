/** Permissions: what may run without asking. One decision per call, with the rule or reason behind it. */
import type { ToolCall } from '@sidenote/engine';
import type { AnyTool } from '../tools/tool.js';

export type Mode = 'default' | 'acceptEdits' | 'plan' | 'auto' | 'dontAsk' | 'bypassPermissions';

export type Decision =
  | { readonly type: 'allow'; readonly why: string }
  | { readonly type: 'deny'; readonly why: string }
  /** `rules`: what "this session" would allow, e.g. `Bash(npm run test:*)`; empty when it can't be remembered. */
  | {
      readonly type: 'ask';
      readonly why: string;
      readonly rules: readonly string[];
      /** A rule wants the question: nobody but the person may answer it. */
      readonly byRule?: boolean;
    };

export interface Permissions {
  /** As the session's records tell it now. */
  readonly mode: Mode;
  /** `granted`: allow rules that count for this call alone. */
  judge(call: ToolCall, tool: AnyTool, input: unknown, granted?: readonly string[]): Promise<Decision>;
  /** Adds allow rules for the rest of this process. */
  allow(rules: readonly string[]): void;
}
