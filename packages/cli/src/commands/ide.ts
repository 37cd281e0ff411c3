/** `/ide`: which editor and which language servers are beside this session, and the editor's connection tried again. */
import type { LinkStatus, LspStatus } from '@sidenote/node';
import { inside } from '../inside.js';
import type { Command } from './command.js';

export const ideCommand: Command = {
  name: 'ide',
  hint: '[reconnect]',
  summary: 'the editor and the language servers beside this session',
  async run({ conversation: { editor, languageServers, cwd } }, rest) {
    if (rest !== '' && rest !== 'reconnect') return { type: 'refused', text: `/ide ${rest}: write /ide, or /ide reconnect` };
    const status = rest === '' ? editor?.status : await editor?.reconnect();
    const servers = languageServers?.servers.map(serverLine) ?? [];
    return { type: 'text', text: [...editorLines(status, cwd), ...servers].join('\n') };
  },
};
function editorLines(status: LinkStatus | undefined, cwd: string): readonly string[] {
  if (status === undefined) return ['no editor is looked for in this session (the setting ide, ENABLE_IDE_INTEGRATION, --bare)'];
  const { state, editor, selection, openedFile } = status;
  if (state === 'absent')
    return [
      `no editor is there for ${cwd} (~/.claude/ide holds a file for each that waits); one that is opened is found with the next prompt`,
    ];
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

function serverLine({ name, state, why, files }: LspStatus): string {
  const says = state === 'ready' ? `ready, ${files} ${files === 1 ? 'file' : 'files'}` : state;
  return `language server ${name}: ${says}${why === undefined ? '' : ` (${why})`}`;
}
