/** The question whether a call may run: all of what it does, and the answers. */
import type { PermissionAnswer, PermissionRequest } from '@sidenote/agent';
import { inside } from '../inside.js';
import { revealed } from './clean.js';
import type { Choice, DialogContent } from './dialog.js';
import { editPreview } from './diff-lines.js';
import type { Theme } from './theme.js';

/** Lines of a command or of each side of a change that are shown at first. */
const MOST = 10;

export function permissionContent(
  request: PermissionRequest,
  {
    theme,
    cwd,
    expanded,
  }: {
    readonly theme: Theme;
    /** The working directory: paths inside it are shown without it. */
    readonly cwd: string;
    /** Show all of a long command or change. */
    expanded(): boolean;
  },
): DialogContent<PermissionAnswer> {
  const [first = '', ...rest] = revealed(request.title).split('\n');
  const remembered: Choice<PermissionAnswer> =
    request.rules.length === 0
      ? { type: 'unavailable', label: '(can not be remembered)' }
      : {
          type: 'answer',
          label: `yes, and for this session: ${revealed(inside(request.rules.join(', '), cwd))}`,
          answer: { type: 'session' },
        };
  return {
    lines() {
      const most = expanded() ? Number.POSITIVE_INFINITY : MOST;
      const preview = editPreview(request.call.input, { theme, most });
      const whole = editPreview(request.call.input, { theme, most: Number.POSITIVE_INFINITY });
      return [
        theme.bold(`May this run? ${first}`),
        ...rest.slice(0, most).map((line) => `  ${line}`),
        ...(rest.length > most ? [theme.dim(`  … ${rest.length - most} more lines`)] : []),
        theme.dim(revealed(inside(request.why, cwd))),
        ...preview,
        ...(rest.length > most || preview.length < whole.length ? [theme.dim('ctrl+o shows all of it')] : []),
      ];
    },
    choices: [
      { type: 'answer', label: 'yes, once', answer: { type: 'once' } },
      remembered,
      { type: 'words', label: 'no, and say what to do instead', asks: 'What should be done instead?' },
    ],
    refuse: (words) => ({ type: 'deny', ...(words === undefined ? {} : { words }) }),
    escape: 'no, and stop here',
  };
}
