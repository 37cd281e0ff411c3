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

/** Rules that count for one call alone: what a skill brings. */
export type Brought = { readonly allow?: readonly string[]; readonly deny?: readonly string[] };

export interface Permissions {
  /** As the session's records tell it now. */
  readonly mode: Mode;
  judge(call: ToolCall, tool: AnyTool, input: unknown, brought?: Brought): Promise<Decision>;
  /** Adds allow rules for the rest of this process. */
  allow(rules: readonly string[]): void;
}
