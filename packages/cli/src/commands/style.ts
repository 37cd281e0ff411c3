/** `/style`: shows the output styles, or goes on in another one. */
import { clean } from '../terminal/clean.js';
import type { Command } from './command.js';
import { fit } from './rows.js';

export const styleCommand: Command = {
  name: 'style',
  aliases: ['output-style'],
  hint: '[name]',
  summary: 'show the output styles, or answer in another one from now on',
  async run({ conversation, width }, rest) {
    const { styles } = conversation;
    if (rest === '') {
      const current = await styles.current();
      const lines = (await styles.list()).map(({ name, description, file }) => {
        const mark = name === current.name ? '●' : ' ';
        return fit(clean(`${mark} ${name.padEnd(16)} ${description}${file === undefined ? '' : ` (${file})`}`), width);
      });
      const off = styles.off === undefined ? [] : [styles.off];
      return { type: 'text', text: [...lines, ...off, 'for all sessions: the setting outputStyle'].join('\n') };
    }
    if (styles.off !== undefined) return { type: 'refused', text: styles.off };
    const chosen = await styles.choose(rest);
    if (chosen.type === 'unknown') return { type: 'refused', text: chosen.text };
    return { type: 'text', text: `${clean(chosen.style.name)} from the next message on; the cached prefix stays as it is` };
  },
};
