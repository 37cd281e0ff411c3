/** What a tool is: a spec that the model sees, and a function that runs under a signal and says what it did. */
import type { SubagentEvent } from '../loop/events.js';
import type { Blobs, FileView, Id, ToolOutcome, ToolSpec, Transcript } from '@sidenote/engine';

export type Parsed<Input> = { readonly ok: true; readonly input: Input } | { readonly ok: false; readonly message: string };

/** `input` is not checked yet: the other tool's `parse` does that. */
export type Forwarded =
  | { readonly ok: true; readonly tool: AnyTool; readonly input: unknown }
  | { readonly ok: false; readonly message: string };

export type ToolContext = {
  readonly signal: AbortSignal;
  readonly call: Id;
  /** What the model has seen of files, by absolute path. */
  readonly views: ReadonlyMap<string, FileView>;
  readonly blobs: Blobs;
  /** Of the thread that made the call. */
  readonly transcript: Pick<Transcript, 'read'>;
  /** Output so far, for the person. */
  progress(text: string): void;
  /** The thread that made the call. */
  readonly thread: Id;
  /** What happens inside the call, where that is a turn of another agent: for the person. */
  report(event: SubagentEvent): void;
  /** The input is not the model's own: a hook, or the person, has put it there. */
  readonly isChanged: boolean;
  /** What the call wants was denied, since nobody is there to ask: for the person. `why`: one line. */
  denied(why: string): void;
};

export interface Tool<Input = unknown> {
  /** Stored in the `prefix` record. */
  readonly spec: ToolSpec;
  /** Calls of a step run in parallel when all of them only read. Modes and permissions use it too. */
  readonly access: 'read' | 'write' | 'execute';
  /** Checks what the model sent; `message` goes back to the model. */
  parse(input: unknown): Parsed<Input>;
  /** Absolute paths that the call touches, for permissions and nested instructions, before it runs. */
  paths?(input: Input): readonly string[];
  /** For a tool that stands for others: which one this call is for. That one is judged, shown and run in its place. */
  forward?(input: Input): Forwarded;
  /** One line for a person: `Read src/a.ts`. */
  title(input: Input): string;
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
}

/** Any tool, whatever its input: what a registry holds. Inputs are checked by `parse`. */
// oxlint-disable-next-line typescript/no-explicit-any -- a heterogeneous list
export type AnyTool = Tool<any>;
