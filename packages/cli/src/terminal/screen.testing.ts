/** A terminal for tests: what a person would see, and what they type. */
import xterm from '@xterm/headless';
import type { ScreenClock } from './clock.js';
import type { Screen } from './view.js';

export class TestScreen implements Screen {
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  #input: (data: string) => void = () => {};
  #resized: () => void = () => {};
  /** All bytes that were written. */
  raw = '';
  kittyProtocolActive = false;

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  }
  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#input = onInput;
    this.#resized = onResize;
  }
  stop(): void {}
  async drainInput(): Promise<void> {}
  write(data: string): void {
    this.raw += data;
    this.#terminal.write(data);
  }
  get columns(): number {
    return this.#terminal.cols;
  }
  get rows(): number {
    return this.#terminal.rows;
  }
  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\u001b[${lines}B` : `\u001b[${-lines}A`);
  }
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {
    this.write('\u001b[K');
  }
  clearFromCursor(): void {
    this.write('\u001b[J');
  }
  clearScreen(): void {
    this.write('\u001b[2J\u001b[H');
  }
  setTitle(): void {}
  setProgress(): void {}

  /** Presses keys one after the other, as a terminal sends them. */
  type(...keys: string[]): void {
    for (const key of keys) this.#input(key);
  }
  /** Types words and enters them. */
  enter(words: string): void {
    this.type(...words, '\r');
  }
  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#resized();
  }
  /** The rows in sight, without spaces at their ends and without empty rows at the end. */
  text(): string {
    const { active } = this.#terminal.buffer;
    const rows = Array.from({ length: this.rows }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '');
    return rows.join('\n').trimEnd();
  }
}

/** A clock that stands until it is moved. */
export class TestClock implements ScreenClock {
  #now = 0;
  #timers: { readonly at: number; readonly tick: () => void }[] = [];
  now(): number {
    return this.#now;
  }
  after(ms: number, tick: () => void): () => void {
    const timer = { at: this.#now + ms, tick };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((one) => one !== timer));
  }
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = next.at;
      next.tick();
    }
    this.#now = until;
  }
}
