/** The editor that the person has beside the terminal, as a part of a session: what is selected, open and wrong in it. */
import { basename } from 'node:path';
import { envValue, isIgnored, isWithin, lateEditorLink, realPathOf, type EditorMention, type LinkOptions } from '@sidenote/node';
import { inside } from '../inside.js';
import { VERSION } from '../version.js';
import { askInEditor } from './ask-in-editor.js';
import type { Part, PartOptions } from './part.js';
import { directoriesOf } from './permission-options.js';
import type { Setup } from './set-up.js';

/** Files that by their names hold keys: nobody selects in one to show it. */
const KEYS =
  /^\.env(?!\.(?:example|sample|template)$)(?:rc|[._-].*)?$|\.(?:pem|key|p12|pfx)$|^id_(?:rsa|dsa|ecdsa|ed25519)$|^\.(?:npmrc|netrc|pgpass)$/i;

/** Whether an editor may stand beside a session, now or later. */
export function mayHaveEditor({ io, flags, bare, loaded }: Setup): boolean {
  if (bare || flags.command !== 'chat' || loaded.settings.ide === false) return false;
  return !['0', 'false', 'no', 'off'].includes(envValue(io.env, 'ENABLE_IDE_INTEGRATION')?.toLowerCase() ?? '');
}

/** Nothing here waits for the editor. */
export function idePart(options: PartOptions): Part {
  const { io } = options.setup;
  const mentioned = (mention: EditorMention): void => options.insert?.(typedMention(mention, io.cwd));
  const editor = lateEditorLink({ ...options.setup.io, version: VERSION, objection: objectionOf(options), mentioned });
  return {
    editor,
    ports: editor.ports,
    askToo: (ask) => askInEditor(ask, { editor, cwd: io.cwd, home: io.home }),
    close: async () => editor.close(),
  };
}

/** As a person would type it. */
function typedMention({ path, lines }: EditorMention, cwd: string): string {
  const place = inside(path, cwd);
  const range = lines === undefined ? '' : `#L${lines.join('-')}`;
  return /\s/.test(place) ? `@"${place}"${range}` : `@${place}${range}`;
}

/** What is open is not meant for the model by that alone: only what it may read, in the folders that it works in, and nothing private. */
function objectionOf({ setup, permissions }: PartOptions): LinkOptions['objection'] {
  const { io } = setup;
  const folders = Promise.all([io.cwd, ...directoriesOf(setup)].map(realPathOf));
  return async ({ path, about }, signal) => {
    const real = await realPathOf(path);
    if (!(await folders).some((folder) => isWithin(folder, real))) return 'it lies outside the working directory';
    if (!(await permissions.mayRead(path))) return 'a permission rule forbids reading it';
    if (about === 'problems') return undefined;
    if (KEYS.test(basename(real))) return 'files of that name hold keys';
    const ignored = await isIgnored(real, { env: io.env, signal });
    if (ignored === undefined) return 'git has not said yet whether it ignores it';
    return ignored ? 'git ignores it' : undefined;
  };
}
