/** Short ways to say what a tool gave back. */
import type { Effect, ToolOutcome } from '@sidenote/engine';

type More = { readonly effects?: readonly Effect[]; readonly display?: ToolOutcome['display'] };

/** A result of one text. */
export function said(text: string, { effects, display }: More = {}): ToolOutcome {
  return {
    content: [{ type: 'text', text }],
    ...(effects === undefined ? {} : { effects }),
    ...(display === undefined ? {} : { display }),
  };
}

/** What went wrong, with what to do about it, for the model. */
export function refused(text: string, more: More = {}): ToolOutcome {
  return { ...said(text, more), isError: true };
}
