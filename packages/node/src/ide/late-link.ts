/** A link to an editor that need not be there yet: it is looked for at once and with words of the person, and connected when it is there. */
import type { Reading } from '@sidenote/engine';
import { createEditorLink, type EditorLink, type LinkOptions, type LinkStatus } from './editor-link.js';
import { findEditors } from './lock-files.js';

const ABSENT: LinkStatus = { state: 'absent', editor: undefined, selection: null, openedFile: null };
const NOTHING: Reading<null> = { type: 'ready', value: null, version: '' };

/** Each look lists one folder. Nobody waits for the first one. */
export function lateEditorLink(options: LinkOptions): EditorLink {
  let link: EditorLink | undefined;
  let looking: Promise<EditorLink | undefined> | undefined;
  let isClosed = false;
  const find = async (): Promise<EditorLink | undefined> => {
    const found = await findEditors(options);
    looking = undefined;
    if (found.length > 0 && !isClosed) link ??= createEditorLink(options);
    return link;
  };
  const look = async (): Promise<EditorLink | undefined> => link ?? (looking ??= find());
  void look();
  return {
    get status() {
      return link?.status ?? ABSENT;
    },
    ports: {
      selection: { read: async (signal) => (await look())?.ports.selection.read(signal) ?? NOTHING },
      openedFile: { read: async (signal) => (await look())?.ports.openedFile.read(signal) ?? NOTHING },
      // They are asked for with every message: an editor that comes is found with the next words.
      diagnostics: { read: async (signal) => link?.ports.diagnostics.read(signal) ?? { type: 'ready', value: [], version: '' } },
    },
    openDiff: async (diff, signal) => link?.openDiff(diff, signal) ?? { type: 'open' },
    reconnect: async () => (await look())?.reconnect() ?? ABSENT,
    close() {
      isClosed = true;
      link?.close();
    },
  };
}
