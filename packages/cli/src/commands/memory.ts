/** `/memory`: instruction files and memories with what becomes of each, what was recalled and why, and one of them in an editor. */
import { basename } from 'node:path';
import { recalledMemories, type Recalled } from '@sidenote/engine';
import { resolveFrom, type ExplainedFile } from '@sidenote/node';
import { inside } from '../inside.js';
import type { Command } from './command.js';

export const memoryCommand: Command = {
  name: 'memory',
  hint: '[number|path]',
  summary: 'instruction files and memories, and one of them in your editor',
  async run({ conversation }, rest) {
    const files = distinct(await conversation.instructions());
    if (rest === '') {
      const recalled = conversation.session.main.transcript.read(recalledMemories);
      return { type: 'text', text: memoryText(files, [...recalled.values()], conversation.cwd) };
    }
    const path = /^\d+$/.test(rest) ? files[Number(rest) - 1]?.path : pathOf(rest, conversation.cwd);
    if (path !== undefined && (basename(path).endsWith('.md') || files.some((file) => file.path === path))) return { type: 'edit', path };
    return { type: 'refused', text: `there is no instruction file or memory ${rest}: /memory lists them` };
  },
};

/** A folder that could not be looked through, or a text in settings, is nothing to edit. */
function distinct(files: readonly ExplainedFile[]): readonly ExplainedFile[] {
  const seen = new Set<string>();
  return files.filter(({ path, status, from }) => {
    if (seen.has(path) || status === 'unknown' || from?.setting === 'claudeMd') return false;
    seen.add(path);
    return true;
  });
}

const pathOf = (words: string, cwd: string): string => resolveFrom(cwd, words.replace(/^@/, ''));

function memoryText(files: readonly ExplainedFile[], recalled: readonly Recalled[], cwd: string): string {
  if (files.length === 0) return 'there are no instruction files; /memory AGENTS.md begins one';
  const rows = files.map(
    ({ path, status, scope, reason }, index) =>
      `${`${index + 1}`.padStart(3)}  ${status.padEnd(10)} ${scope.padEnd(8)} ${inside(path, cwd)}${status === 'loaded' ? '' : `: ${inside(reason, cwd)}`}`,
  );
  const told = recalled.map(({ path, why }) => `     ${inside(path, cwd)}: ${why}`);
  return [
    ...rows,
    ...(told.length === 0 ? [] : ['', 'Recalled in this session', ...told]),
    '',
    '/memory <number> opens one in $VISUAL or $EDITOR; what is changed is told with your next words',
  ].join('\n');
}
