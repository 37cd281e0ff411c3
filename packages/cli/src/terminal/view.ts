/** The only file that knows the terminal library: a growing transcript, a strip above the editor, the editor, a strip below. */
import {
  CombinedAutocompleteProvider,
  Container,
  Editor,
  isKeyRelease,
  Markdown,
  parseKey,
  ProcessTerminal,
  TUI,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
  type AutocompleteProvider,
  type Component,
  type EditorTheme,
  type MarkdownTheme,
  type Terminal,
} from '@earendil-works/pi-tui';
import { clean } from './clean.js';
import { breakLongWords } from './long-words.js';
import type { Theme } from './theme.js';

/** One piece of the screen. `lines` gets the columns it may fill; longer lines are wrapped. */
export type Part =
  | { readonly type: 'markdown'; readonly text: string }
  | { readonly type: 'lines'; readonly lines: (width: number) => readonly string[] };

export type Handle = { update(part: Part): void; remove(): void };

/** A key press: the library's name for it (`ctrl+c`, `escape`, `1`), or undefined for pasted text and sequences. */
export type Key = { readonly name: string | undefined };

export interface View {
  /** Columns. */
  readonly width: number;
  /** The words being typed. Setting them moves the cursor to their end. */
  draft: string;
  /** A list of completions is open, which takes the keys. */
  readonly completing: boolean;
  /** Adds a part at the end of the transcript. It is drawn again only when it or the width changes. */
  add(part: Part): Handle;
  /** Empties the transcript. */
  clear(): void;
  /** Strips above and below the editor, drawn every time. */
  above(lines: (width: number) => readonly string[]): void;
  below(lines: (width: number) => readonly string[]): void;
  /** Words that the up key brings back. */
  remember(words: string): void;
  /** Draws soon. `all`: every part anew. */
  refresh(how?: 'all'): void;
  start(): void;
  /** Gives the terminal back. */
  stop(): Promise<void>;
}

/** What a terminal has to be for a view: the process's own, or a test's. */
export type Screen = Terminal;

export type ViewOptions = {
  /** Default: the terminal of this process. */
  readonly screen?: Screen;
  readonly theme: Theme;
  readonly cwd: string;
  /** Names and summaries of slash commands, for completion. */
  commands(): Promise<readonly { readonly name: string; readonly description: string }[]>;
  /** Paths for what was typed behind an `@`; a folder ends with a slash. */
  mentionable?(typed: string): Promise<readonly string[]>;
  submit(words: string): void;
  /** True: the key was taken and never reaches the editor. */
  key(key: Key): boolean;
};

/** Draws a part, remembers its lines for one width, and never lets a line be wider than the screen. */
class PartComponent implements Component {
  #part: Part;
  #markdown: Markdown | undefined;
  #drawn: { readonly width: number; readonly lines: string[] } | undefined;

  constructor(
    part: Part,
    private readonly theme: MarkdownTheme,
  ) {
    this.#part = part;
  }
  update(part: Part): void {
    this.#part = part;
    this.#drawn = undefined;
  }
  invalidate(): void {
    this.#drawn = undefined;
    this.#markdown?.invalidate();
  }
  render(width: number): string[] {
    if (this.#drawn?.width !== width) this.#drawn = { width, lines: this.#lines(width) };
    return this.#drawn.lines;
  }
  #lines(width: number): string[] {
    if (this.#part.type === 'lines') return fitted(this.#part.lines(width), width);
    this.#markdown ??= new Markdown('', 0, 0, this.theme);
    this.#markdown.setText(breakLongWords(this.#part.text, width));
    try {
      return fitted([...this.#markdown.render(width), ''], width);
    } catch {
      // Markup nested beyond what the parser's stack holds: shown as it stands.
      return fitted([...this.#part.text.split('\n'), ''], width);
    }
  }
}

/** A strip: asked for its lines each time. */
class Strip implements Component {
  lines: (width: number) => readonly string[] = () => [];
  invalidate(): void {}
  render(width: number): string[] {
    return fitted(this.lines(width), width);
  }
}

function fitted(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => wrapLine(line, width).map((part) => truncateToWidth(part, width, '')));
}

/** A line as the lines that it takes. */
export function wrapLine(line: string, width: number): readonly string[] {
  return line === '' ? [''] : wrapTextWithAnsi(breakLongWords(line, width), width);
}

export { visibleWidth };

/** Cuts a line to its columns, with an ellipsis. */
export function cutLine(line: string, width: number): string {
  return truncateToWidth(line, width, '…');
}

export function createView(options: ViewOptions): View {
  const { theme } = options;
  const screen = options.screen ?? new ProcessTerminal();
  const tui = new TUI(screen);
  const markdown = markdownTheme(theme);
  const transcript = new Container();
  const above = new Strip();
  const below = new Strip();
  const editor = new Editor(tui, editorTheme(theme));
  editor.setAutocompleteProvider(completion(options));
  editor.onSubmit = (words) => options.submit(words);
  for (const part of [transcript, above, editor, below]) tui.addChild(part);
  tui.setFocus(editor);
  tui.addInputListener((data) => (!isKeyRelease(data) && options.key({ name: parseKey(data) }) ? { consume: true } : undefined));
  return {
    get width() {
      return screen.columns;
    },
    get draft() {
      return editor.getExpandedText();
    },
    set draft(words: string) {
      editor.setText(words);
      tui.requestRender();
    },
    get completing() {
      return editor.isShowingAutocomplete();
    },
    add(part) {
      const component = new PartComponent(part, markdown);
      transcript.addChild(component);
      tui.requestRender();
      return {
        update: (next) => {
          component.update(next);
          tui.requestRender();
        },
        remove: () => {
          transcript.removeChild(component);
          tui.requestRender();
        },
      };
    },
    clear() {
      transcript.clear();
      tui.requestRender(true);
    },
    above(lines) {
      above.lines = lines;
    },
    below(lines) {
      below.lines = lines;
    },
    remember: (words) => editor.addToHistory(words),
    refresh(how) {
      if (how === 'all') tui.invalidate();
      tui.requestRender(how === 'all');
    },
    start: () => tui.start(),
    async stop() {
      await screen.drainInput();
      tui.stop();
    },
  };
}

/** Commands and plain paths by the library, paths behind an `@` by `mentionable`. */
function completion({ commands, cwd, mentionable }: ViewOptions): AutocompleteProvider {
  const library = new CombinedAutocompleteProvider([], cwd);
  return {
    async getSuggestions(lines, line, column, how) {
      const prefix = /(?<=^|\s)@(?:"[^"]*|\S*)$/.exec((lines[line] ?? '').slice(0, column))?.[0];
      if (prefix === undefined || mentionable === undefined) {
        const names = (lines[line] ?? '').startsWith('/') ? await commands() : [];
        const found = await new CombinedAutocompleteProvider([...names], cwd).getSuggestions(lines, line, column, how);
        return found === null
          ? null
          : { ...found, items: found.items.filter(({ value, label }) => isShowable(value) && isShowable(label)) };
      }
      const paths = await mentionable(prefix.replace(/^@"?/, ''));
      return {
        prefix,
        items: paths.filter(isShowable).map((path) => ({ value: /\s/.test(path) ? `@"${path}"` : `@${path}`, label: path })),
      };
    },
    applyCompletion: (...given) => library.applyCompletion(...given),
    shouldTriggerFileCompletion: (...given) => library.shouldTriggerFileCompletion(...given),
  };
}

/** A name that would move the cursor or colour the screen is not offered: it would be obeyed. */
function isShowable(name: string): boolean {
  return !name.includes('\n') && clean(name) === name;
}

function editorTheme(theme: Theme): EditorTheme {
  return {
    borderColor: theme.dim,
    selectList: {
      selectedPrefix: theme.accent,
      selectedText: theme.accent,
      description: theme.dim,
      scrollInfo: theme.dim,
      noMatch: theme.dim,
    },
  };
}

function markdownTheme(theme: Theme): MarkdownTheme {
  return {
    heading: (text) => theme.bold(theme.accent(text)),
    link: theme.underline,
    linkUrl: theme.dim,
    code: theme.code,
    codeBlock: theme.code,
    codeBlockBorder: theme.dim,
    quote: theme.italic,
    quoteBorder: theme.dim,
    hr: theme.dim,
    listBullet: theme.accent,
    bold: theme.bold,
    italic: theme.italic,
    strikethrough: theme.strike,
    underline: theme.underline,
  };
}
