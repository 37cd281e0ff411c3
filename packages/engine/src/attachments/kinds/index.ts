/** The built-in kinds in catalogue order: the order in which they stand in a message and get their room. A further one is an import and a line. */
import type { AnyAttachmentKind } from '../contract.js';
import { atMentionedFiles } from './at-mentioned-files.js';
import { changedFiles } from './changed-files.js';
import { dateChange } from './date-change.js';
import { deferredToolsDelta } from './deferred-tools-delta.js';
import { gitSnapshot } from './git-snapshot.js';
import { hookKinds } from './hooks.js';
import { mcpInstructionsDelta } from './mcp-instructions-delta.js';
import { mcpResources } from './mcp-resources.js';
import { nestedMemory } from './nested-memory.js';
import { projectInstructions } from './project-instructions.js';
import { queuedCommands } from './queued-commands.js';
import { quotedTags } from './quoted-tags.js';
import { taskNotifications } from './task-notifications.js';

export const builtInKinds: readonly AnyAttachmentKind[] = [
  projectInstructions,
  gitSnapshot,
  atMentionedFiles,
  mcpResources,
  ...hookKinds,
  dateChange,
  deferredToolsDelta,
  mcpInstructionsDelta,
  changedFiles,
  nestedMemory,
  queuedCommands,
  taskNotifications,
  quotedTags,
];
