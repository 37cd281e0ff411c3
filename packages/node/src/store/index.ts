/** Sessions on disk. */
export { findSession, jsonlStore, newestSession, sessionFile, type JsonlStoreOptions, type SessionMatch } from './jsonl-store.js';
export { defaultConfigDir } from './config-dir.js';
export { projectFolder, projectName } from './project-folder.js';
export { pruneSessions } from './prune-sessions.js';
