/** Editors: found by their lock files, connected over a socket. Nothing is loaded before one is there. */
export { createEditorLink, type DiffAnswer, type EditorLink, type LinkOptions, type LinkStatus } from './editor-link.js';
export { lateEditorLink } from './late-link.js';
export { findEditors, type Editor, type EditorPlace } from './lock-files.js';
export type { EditorMention } from './wire.js';
