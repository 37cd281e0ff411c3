/** `/context`: what the last request held and who put it there. */
import type { Thread } from '@sidenote/engine';
import type { Command } from '../command.js';
import { fillLine } from './fill.js';
import { contextText } from './text.js';
import { viewOfAudit } from './view.js';

export const contextCommand: Command = {
  name: 'context',
  summary: 'what the model sees, who put it there, and what is absent',
  async run({ conversation, width }) {
    const { session, model, profile, compactsAt } = conversation;
    const { main } = session;
    const fill = fillLine(main.fullness, { window: profile.window, compactsAt });
    const none = unsent(main);
    if (none !== undefined) return { type: 'text', text: `${fill}\n${none}: say something, or run \`sidenote context\` for a dry run` };
    const text = contextText(viewOfAudit(main, { model, profile }), { width, cwd: conversation.cwd });
    return { type: 'text', text: `${fill}\n\nThe last request\n${text}\n\n/reminders says why kinds are off, and what each has told` };
  },
};

/** Why there is no request to show; undefined: there is one. */
export function unsent({ fullness, analysis, transcript }: Pick<Thread, 'fullness' | 'analysis' | 'transcript'>): string | undefined {
  // What was sent before a compaction is not what the window holds now.
  if (fullness.compacted && fullness.first === null) return 'Since the compaction nothing was sent';
  if (analysis !== null) return undefined;
  // An earlier process may have sent what the window holds.
  return transcript.head === null ? 'Nothing was sent yet' : 'In this process nothing was sent yet';
}
