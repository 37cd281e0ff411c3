/** `/context`: what the last request held and who put it there. */
import type { Command } from '../command.js';
import { contextText } from './text.js';
import { viewOfAudit } from './view.js';

export const contextCommand: Command = {
  name: 'context',
  summary: 'what the model sees, who put it there, and what is absent',
  async run({ conversation, width }) {
    const { session, model, profile } = conversation;
    if (session.main.analysis === null) {
      return { type: 'refused', text: 'nothing was sent yet: say something, or run `sidenote context` for a dry run' };
    }
    const text = contextText(viewOfAudit(session.main, { model, profile }), { width, cwd: conversation.cwd });
    return { type: 'text', text: `${text}\n\n/reminders says why kinds are off, and what each has told` };
  },
};
