/** `/model`: shows or changes the model of the next request. */
import { countText } from '@sidenote/engine';
import { ModelUnavailableError } from '../assemble/models.js';
import type { Command } from './command.js';

/** What may be named, as in `--model`. */
const NAMES = 'opus, sonnet, haiku, claude-…, openai:<name> or script:<file>';

export const modelCommand: Command = {
  name: 'model',
  hint: '[name]',
  summary: 'show or change the model; a change rewrites the cached prefix once',
  async run({ conversation }, rest) {
    if (rest === '')
      return {
        type: 'text',
        text: `${conversation.model} (window ${countText(conversation.profile.window)} tokens)\n/model <name> takes ${NAMES}`,
      };
    if (rest === conversation.model) return { type: 'text', text: `${rest} already answers` };
    try {
      await conversation.setModel(rest);
    } catch (error) {
      if (ModelUnavailableError.isInstance(error)) return { type: 'refused', text: error.message };
      throw error;
    }
    return { type: 'text', text: `${conversation.model} answers from now on` };
  },
};
