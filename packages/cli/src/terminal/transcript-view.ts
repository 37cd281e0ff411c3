/** The growing transcript on the screen: adds blocks, and draws all of them folded or expanded. */
import { injectionLines, noticeLines, plainLines, promptLines, toolLines, type Injection, type Look, type ToolState } from './blocks.js';
import type { Theme } from './theme.js';
import type { Handle, Part, View } from './view.js';

export type Block<State> = { update(state: State): void; remove(): void };

export interface TranscriptView {
  /** Texts of injections and whole outputs are shown. */
  readonly expanded: boolean;
  prompt(words: string): void;
  markdown(text: string): Block<string>;
  injections(list: readonly Injection[]): Block<readonly Injection[]>;
  tool(title: string): Block<ToolState>;
  notice(text: string, level: 'info' | 'warning' | 'error'): void;
  plain(text: string): void;
  toggle(): void;
  clear(): void;
}

export function transcriptView(view: View, theme: Theme): TranscriptView {
  let expanded = false;
  const look = (width: number): Look => ({ width, theme, expanded });
  const lines = (draw: (look: Look) => readonly string[]): Part => ({ type: 'lines', lines: (width) => draw(look(width)) });
  const block = <State>(first: State, part: (state: State) => Part): Block<State> => {
    const handle: Handle = view.add(part(first));
    return { update: (state) => handle.update(part(state)), remove: () => handle.remove() };
  };
  return {
    get expanded() {
      return expanded;
    },
    prompt: (words) => void view.add(lines((to) => promptLines(words, to))),
    markdown: (text) => block(text, (words) => ({ type: 'markdown', text: words })),
    injections: (list) => block(list, (all) => lines((to) => injectionLines(all, to))),
    tool: (title) => block<ToolState>({ type: 'running', progress: '' }, (state) => lines((to) => toolLines(title, state, to))),
    notice: (text, level) => void view.add(lines((to) => noticeLines(text, level, to))),
    plain: (text) => void view.add(lines(() => plainLines(text))),
    toggle() {
      expanded = !expanded;
      view.refresh('all');
    },
    clear: () => view.clear(),
  };
}
