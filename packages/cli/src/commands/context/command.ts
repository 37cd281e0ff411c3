/** `/context`: what the last request held and who put it there. */
import type { Command } from '../command.js';
import { fillLine } from './fill.js';
import { contextText } from './text.js';
import { viewOfAudit } from './view.js';

export const contextCommand: Command = {
  name: 'context',
  summary: 'what the model sees, who put it there, and what is absent',
  async run({ conversation, width }) {
    const { session, model, profile, compactsAt } = conversation;
    const fill = fillLine(session.main.fullness, { window: profile.window, compactsAt });
    if (session.main.analysis === null) {
      // An earlier process may have sent what the window holds.
      const already = session.main.transcript.head === null ? 'Nothing was sent yet' : 'In this process nothing was sent yet';
      return { type: 'text', text: `${fill}\n${already}: say something, or run \`sidenote context\` for a dry run` };
    }
    const text = contextText(viewOfAudit(session.main, { model, profile }), { width, cwd: conversation.cwd });
    return { type: 'text', text: `${fill}\n\nThe last request\n${text}\n\n/reminders says why kinds are off, and what each has told` };
  },
};
