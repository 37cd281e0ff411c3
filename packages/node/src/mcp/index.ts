/** MCP servers: which there are, who may start them, and what they offer. Nothing is loaded before one is started. */
export { entryDigest, judgeServers, type ApprovalOptions, type ConfiguredServer, type McpScope, type ServerSource } from './approval.js';
export { findServers, userMcpFile, type FindOptions, type FoundServers } from './find-servers.js';
export { editConfig, type ConfigEdit, type ConfigEdited } from './edit-config.js';
export { describeEntry, expandEntry, readEntry, type McpEntry, type McpOauth, type ReadEntry } from './server-config.js';
export { createMcpHub, type HubOptions, type McpCall, type McpHub, type McpOutcome, type McpServerStatus } from './hub.js';
export { logIn, type LoggedIn, type LogInOptions } from './login/log-in.js';
export { loginsFile, type Logins, type StoredLogin } from './login/logins-file.js';
export type { McpContent, Binary } from './content.js';
export type { McpPrompt, McpTool } from './described.js';
