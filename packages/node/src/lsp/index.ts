/** Language servers: which there are, and what they see of files. Nothing is loaded before a file of their language is touched. */
export { createLanguageServers, type LanguageServers, type LanguageServersOptions } from './language-servers.js';
export type { LspStatus } from './language-server.js';
export { findTypescript, readServers, type ReadServers, type ServerEntry } from './server-entry.js';
