/** The demo on a terminal: typed words, a growing answer and the dialog, as in a real session. */
import type { AgentEvent } from '@sidenote/agent';
import type { ScreenClock } from '../terminal/clock.js';
import { createDialog } from '../terminal/dialog.js';
import { permissionContent } from '../terminal/permission-content.js';
import { transcriptView } from '../terminal/transcript-view.js';
import { turnView, type TurnView } from '../terminal/turn-view.js';
import { workingLine } from '../terminal/status-lines.js';
import type { Theme } from '../terminal/theme.js';
import { createView, type Screen, type View } from '../terminal/view.js';
import type { Stage } from './stage.js';

/** Milliseconds between two typed characters, and before each new thing to read. */
const TYPING = 25;
const READING = 900;

export type ScreenStageOptions = {
  readonly theme: Theme;
  readonly clock: ScreenClock;
  readonly cwd: string;
  /** Default: the terminal of this process. */
  readonly screen?: Screen;
  /** The person pressed ctrl+c. */
  leave(): void;
};

export function screenStage({ theme, clock, cwd, screen, leave }: ScreenStageOptions): Stage {
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
  const view: View = createView({
    theme,
    cwd,
    commands: async () => [],
    ...(screen === undefined ? {} : { screen }),
    submit: () => {},
    key: ({ name }) => {
      if (name === 'ctrl+c' || name === 'escape' || name === 'ctrl+d') leave();
      if (name === 'ctrl+o') transcript.toggle();
      return true;
    },
  });
  const transcript = transcriptView(view, theme);
  const dialog = createDialog({ view, theme, clock });
  let turn: TurnView | undefined;
  view.above((width) => [...dialog.lines(width), ...(turn === undefined ? [] : [workingLine(turn.working, width, theme)])]);
  view.below(() => [theme.dim('offline demo · ctrl+o shows what was injected · ctrl+c leaves')]);
  view.start();
  return {
    get width() {
      return view.width;
    },
    note: (text) => transcript.notice(text, 'info'),
    async prompt(words) {
      await pause(READING);
      for (const character of words) {
        view.draft += character;
        await pause(TYPING);
      }
      view.draft = '';
      transcript.prompt(words);
    },
    turn(records) {
      const shown = turnView({ transcript, clock, records, said: new Set(), cwd });
      turn = shown;
      return (event: AgentEvent) => {
        shown.event(event);
        if (event.type === 'turn-ended') turn = undefined;
        view.refresh();
      };
    },
    async ask(request, signal) {
      const answer = dialog.ask(permissionContent(request, { theme, cwd, expanded: () => transcript.expanded }), signal);
      await pause(2 * READING);
      // As a person would press it.
      dialog.key({ name: '1' });
      return answer;
    },
    plain: (text) => transcript.plain(text),
    async end() {
      await pause(READING);
      await view.stop();
    },
  };
}
