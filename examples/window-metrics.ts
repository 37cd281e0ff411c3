/** Metrics of one's own: what each request was made of, as lines for whatever collects them. Nothing leaves by itself. */
import type { Analysis, SessionOptions } from '@sidenote/engine';

/** Pass the result as `measure` to `openSession`. */
export function windowMetrics(write: (line: string) => void): NonNullable<SessionOptions['measure']> {
  return ({ model, window, tokens, cached, freed, parts }: Analysis) => {
    write(`window_tokens{model="${model}"} ${tokens} of ${window}; ${cached} cached; ${freed} freed by a compaction`);
    const own = parts.filter(({ by }) => by === 'client').reduce((sum, part) => sum + part.tokens, 0);
    write(`client_share{model="${model}"} ${(own / tokens).toFixed(2)}`);
  };
}
