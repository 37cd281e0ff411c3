/** Something about injected context that a person should mend. */

export type Finding = {
  /** Stable name, for scripts: `missing`, `broken`, `secret` … */
  readonly rule: string;
  /** An error keeps something from having the effect that was meant, or gives something away. */
  readonly severity: 'error' | 'warning';
  /** Where it is to be mended. Absolute, or `settings`. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** What is wrong, and what helps. */
  readonly message: string;
};
