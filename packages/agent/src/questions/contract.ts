/** What the tool that asks the person needs from whoever opens a session. */

/** One question as the person sees it. */
export type AskedQuestion = {
  readonly question: string;
  /** A word or two that say what it is about. */
  readonly header?: string;
  /** Empty: it is answered in words. */
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  /** Several options may be chosen. */
  readonly isMultiple: boolean;
};
export type QuestionAnswer =
  | { readonly type: 'chosen'; readonly labels: readonly string[] }
  | { readonly type: 'said'; readonly words: string }
  | { readonly type: 'declined' };
export type AskQuestion = (question: AskedQuestion, signal: AbortSignal) => Promise<QuestionAnswer>;
