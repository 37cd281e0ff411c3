/** Where the demo is seen: printed as text, or on a terminal's screen. */
import type { AgentEvent, Ask } from '@sidenote/agent';
import type { ChainRecord } from '@sidenote/engine';

export interface Stage {
  /** A line of the narrator. */
  note(text: string): void;
  /** Words that are typed. */
  prompt(words: string): Promise<void>;
  /** Begins a turn; gives what shows its events. `records` is asked for the texts of injections. */
  turn(records: () => readonly ChainRecord[]): (event: AgentEvent) => void;
  readonly ask: Ask;
  /** Output of a command. */
  plain(text: string): void;
  /** Columns. */
  readonly width: number;
  end(): Promise<void>;
}
