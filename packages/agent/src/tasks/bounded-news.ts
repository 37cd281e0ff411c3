/** Puts lines together to few messages: the first at once, later ones after a pause, and none after a number of them. */

/** Milliseconds between two messages. */
const PAUSE = 5_000;
/** Messages of one source, lines of one message, characters of a line. */
const MOST = 20;
const LINES = 20;
const LONGEST = 500;

export interface BoundedNews {
  add(lines: readonly string[]): void;
  /** Sends what waits. Nothing is sent afterwards. */
  end(): void;
}

/** `pauseMs`: default 5,000. */
export function boundedNews(send: (text: string) => void, { pauseMs = PAUSE }: { readonly pauseMs?: number } = {}): BoundedNews {
  let waiting: string[] = [];
  let left = 0;
  let sent = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    if (waiting.length + left === 0 || sent >= MOST) return;
    sent++;
    const more = left > 0 ? [`(${left} more ${left === 1 ? 'line' : 'lines'})`] : [];
    const last = sent === MOST ? ['(Further lines are not told: the output has them.)'] : [];
    send([...waiting, ...more, ...last].join('\n'));
    [waiting, left] = [[], 0];
    timer = setTimeout(flush, pauseMs).unref();
  };
  return {
    add(lines) {
      for (const line of lines) {
        if (waiting.length < LINES) waiting.push(line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line);
        else left++;
      }
      if (timer === undefined) flush();
    },
    end() {
      clearTimeout(timer);
      flush();
      clearTimeout(timer);
      sent = MOST;
    },
  };
}
