/** What a slash command is: a name, what it is for, and what comes of it as a value that each view shows its own way. */
import type { Content } from '@sidenote/engine';
import type { Conversation } from '../conversation.js';

export type CommandOutcome =
  /** Plain lines for the person. The model sees none of it. */
  | { readonly type: 'text'; readonly text: string }
  /** The conversation stands on another session now. */
  | { readonly type: 'exchanged'; readonly how: 'new' | 'resumed'; readonly text: string }
  /** A turn with these words. */
  | { readonly type: 'prompt'; readonly content: readonly Content[]; readonly own: readonly string[] }
  /** The person edits this file. */
  | { readonly type: 'edit'; readonly path: string }
  /** The conversation is compacted, with what the person wants of the summary. */
  | { readonly type: 'compact'; readonly wishes: string }
  | { readonly type: 'exit' }
  | { readonly type: 'refused'; readonly text: string };

export type CommandContext = {
  readonly conversation: Conversation;
  /** Columns that text may take. */
  readonly width: number;
  /** Ends what takes long. */
  readonly signal: AbortSignal;
};

export type Command = {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What may follow the name, for the help. */
  readonly hint?: string;
  readonly summary: string;
  run(context: CommandContext, rest: string): Promise<CommandOutcome>;
};
