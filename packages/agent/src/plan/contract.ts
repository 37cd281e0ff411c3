/** What the plan tools need from whoever opens a session. */
import type { Session } from '@sidenote/engine';
import type { Mode } from '../permissions/contract.js';

/** A plan as the person is asked about it. */
export type PlanQuestion = {
  readonly plan: string;
  /** Absolute. Holds the plan, and may be edited before the answer. */
  readonly file: string;
  /** The mode of an approval that asks for no edit: as before, or `acceptEdits`. */
  readonly freely: Mode;
};
export type PlanAnswer =
  /** The work goes on in this mode. */
  { readonly type: 'approved'; readonly mode: Mode } | { readonly type: 'rejected'; readonly words?: string };
export type AskPlan = (question: PlanQuestion, signal: AbortSignal) => Promise<PlanAnswer>;

export type PlanOptions = {
  /** Asked only once a tool runs. */
  readonly session: () => Session;
  readonly mode: () => Mode;
  /** Durable before it resolves. */
  setMode(mode: Mode): Promise<void>;
  /** Absolute. */
  readonly planFile: string;
  /** Absent: nobody is there who could approve a plan. */
  readonly askPlan?: AskPlan;
};
