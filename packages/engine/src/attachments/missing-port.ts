/** Why a kind is off whose port is not there, as a person reads it. */
import type { Ports } from './ports.js';

/** What a session lacks without each port. */
const LACKS: Readonly<Record<keyof Ports, string>> = {
  clock: 'clock',
  ids: 'source of ids',
  digest: 'digest of texts',
  tokens: 'estimate of tokens',
  blobs: 'store for texts',
  packing: 'packing of old texts',
  folder: 'working directory',
  instructions: 'instruction files',
  nested: 'instruction files of single folders',
  git: 'view of git',
  mentions: 'reader for files that are mentioned',
  changes: 'watch over files',
  notices: 'news from the background',
  tasks: 'work in the background',
  taskList: 'shared task list',
  steered: 'queue for words',
  fill: 'measure of its window',
  messages: 'messages between agents',
  criticalReminder: 'critical reminder',
  team: 'team',
  mailbox: 'mailbox of a team',
  skills: 'skills',
  agents: 'types of agents',
  deferredTools: 'tools to search for',
  mcp: 'MCP servers',
  mcpResources: 'MCP servers',
  mode: 'modes',
  selection: 'editor',
  openedFile: 'editor',
  diagnostics: 'editor',
  languageServers: 'language servers',
  options: 'options of kinds',
  usage: 'count of what it takes',
  outputStyle: 'output style',
  companion: 'companion',
  recall: 'memories to recall',
};

export const whyMissing = (port: keyof Ports): string => `this session has no ${LACKS[port]}`;
