/** The demo as text: the same lines as on a screen, printed once each has come to rest. */
import type { AgentEvent } from '@sidenote/agent';
import { injectionLines, noticeLines, promptLines, toolLines, type Injection, type Look } from '../terminal/blocks.js';
import { editPreview } from '../terminal/diff-lines.js';
import { findInjection, injectionOf } from '../terminal/turn-view.js';
import type { Theme } from '../terminal/theme.js';
import { inside } from '../inside.js';
import type { Sink } from '../io.js';
import type { Stage } from './stage.js';

type TextStageOptions = { readonly out: Sink; readonly theme: Theme; readonly width: number; readonly cwd: string };

export function textStage({ out, theme, width, cwd }: TextStageOptions): Stage {
  const look: Look = { width, theme, expanded: false, fixed: true };
  const print = (lines: readonly string[]): void => {
    for (const line of lines) out.write(`${line.trimEnd()}\n`);
  };
  return {
    width,
    note: (text) => print(['', ...noticeLines(text, 'info', look)]),
    prompt: async (words) => print(promptLines(words, look)),
    turn(records) {
      const titles = new Map<string, string>();
      const shown = new Set<string>();
      let group: Injection[] = [];
      return (event: AgentEvent) => {
        if (event.type === 'attachment-injected') {
          group.push(injectionOf(inside(event.title, cwd), findInjection(records(), event, shown)));
          return;
        }
        if (group.length > 0) print(injectionLines(group, look));
        group = [];
        if (event.type === 'tool-started') titles.set(event.call.id, event.title);
        else if (event.type === 'tool-ended') {
          print(toolLines(titles.get(event.call.id) ?? event.call.name, { type: 'ended', outcome: event.outcome }, look));
        } else if (event.type === 'response-ended') {
          const text = event.message.content.flatMap((block) => (block.type === 'text' && 'text' in block ? [String(block.text)] : []));
          if (text.length > 0) print([...text.join('\n\n').split('\n'), '']);
        } else if (event.type === 'turn-ended' && event.result.reason !== 'done') print(noticeLines(event.result.text, 'error', look));
      };
    },
    ask: async (request) => {
      print([
        theme.bold(`May this run? ${request.title}`),
        ...editPreview(request.call.input, { theme, most: 10 }),
        '  1 yes, once · 2 yes, for this session · 3 no, and say what to do instead',
        '  (the demo answers 1)',
      ]);
      return { type: 'once' };
    },
    plain: (text) => print(['', ...text.split('\n'), '']),
    end: async () => {},
  };
}
