/** `/ide`: which editor is beside this session, what of it would be told, and the connection tried again. */
import type { LinkStatus } from '@sidenote/node';
import { inside } from '../inside.js';
import type { Command } from './command.js';

export const ideCommand: Command = {
  name: 'ide',
  hint: '[reconnect]',
  summary: 'the editor beside this session, and what is selected and open in it',
  async run({ conversation: { editor, cwd } }, rest) {
    if (editor === undefined)
      return {
        type: 'text',
        text: `no editor was there for ${cwd} when this session began (~/.claude/ide holds a file for each that waits)`,
      };
    if (rest !== '' && rest !== 'reconnect') return { type: 'refused', text: `/ide ${rest}: write /ide, or /ide reconnect` };
    return { type: 'text', text: linesOf(rest === '' ? editor.status : await editor.reconnect(), cwd).join('\n') };
  },
};

function linesOf({ state, editor, selection, openedFile }: LinkStatus, cwd: string): readonly string[] {
  const name = editor === undefined ? 'editor' : `${editor.name} on port ${editor.port}`;
  const says = { connecting: 'is being connected', connected: 'connected', lost: 'not connected; it is tried again from time to time' }[
    state
  ];
  return [
    `${name}: ${says}`,
    ...(editor === undefined ? [] : [`  folders   ${editor.folders.join(', ')}`]),
    ...(selection === null ? [] : [`  selected  ${inside(selection.path, cwd)}, lines ${selection.lines.join(' to ')}`]),
    ...(openedFile === null ? [] : [`  open      ${inside(openedFile, cwd)}`]),
  ];
}
