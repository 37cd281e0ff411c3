/** Decides whether a key is an answer or belongs to what is being typed, so that no dialog ever eats words and approves. */
import type { ScreenClock } from './clock.js';

/** Milliseconds of rest, after the dialog appeared and after the last typed key, before a key can be an answer. */
export const REST = 300;
/** Milliseconds that an answer has to stand alone: in a paste or a burst another key follows sooner. */
export const ALONE = 40;

export type Guard<Answer> = {
  /** Takes a key while a dialog is open. True: it may be an answer, and never reaches the editor. */
  press(answer: Answer | undefined): boolean;
  /** Ends it: an answer that still waits is dropped. */
  end(): void;
};

/**
 * `decide` gets an answer once it stood alone. A key that follows too soon means it was typing: both go to `type`
 * (the answer) and to the editor (the key).
 */
export function guard<Answer>(options: {
  readonly clock: ScreenClock;
  /** When the last key was typed into the editor, before the dialog appeared. */
  readonly typedAt: number;
  decide(answer: Answer): void;
  type(answer: Answer): void;
}): Guard<Answer> {
  const { clock } = options;
  let restSince = Math.max(clock.now(), options.typedAt);
  let waiting: { readonly answer: Answer; readonly cancel: () => void } | undefined;
  const end = (): void => {
    waiting?.cancel();
    waiting = undefined;
  };
  return {
    press(answer) {
      const before = waiting;
      end();
      if (before !== undefined) options.type(before.answer);
      if (answer === undefined || before !== undefined || clock.now() - restSince < REST) {
        restSince = clock.now();
        return false;
      }
      const cancel = clock.after(ALONE, () => {
        waiting = undefined;
        options.decide(answer);
      });
      waiting = { answer, cancel };
      return true;
    },
    end,
  };
}
