/** The built-in kinds in catalogue order: the order in which they stand in a message and get their room. A further one is an import and a line. */
import type { AnyAttachmentKind } from '../contract.js';
import { agentListingDelta } from './agent-listing-delta.js';
import { agentMentions } from './agent-mentions.js';
import { agentPendingMessages } from './agent-pending-messages.js';
import { atMentionedFiles } from './at-mentioned-files.js';
import { budgetUsd } from './budget-usd.js';
import { autoMode } from './auto-mode.js';
import { autoModeExit } from './auto-mode-exit.js';
import { changedFiles } from './changed-files.js';
import { compactionReminder } from './compaction-reminder.js';
import { companionIntro } from './companion-intro.js';
import { criticalSystemReminder } from './critical-system-reminder.js';
import { cwdChange } from './cwd-change.js';
import { dateChange } from './date-change.js';
import { deferredToolsDelta } from './deferred-tools-delta.js';
import { diagnostics } from './diagnostics.js';
import { dynamicSkill } from './dynamic-skill.js';
import { gitSnapshot } from './git-snapshot.js';
import { hookKinds } from './hooks.js';
import { ideOpenedFile } from './ide-opened-file.js';
import { ideSelection } from './ide-selection.js';
import { invokedSkills } from './invoked-skills.js';
import { lspDiagnostics } from './lsp-diagnostics.js';
import { mcpInstructionsDelta } from './mcp-instructions-delta.js';
import { mcpResources } from './mcp-resources.js';
import { nestedMemory } from './nested-memory.js';
import { outputStyle } from './output-style.js';
import { outputTokenUsage } from './output-token-usage.js';
import { planFileReference } from './plan-file-reference.js';
import { planMode } from './plan-mode.js';
import { planModeExit } from './plan-mode-exit.js';
import { planModeReentry } from './plan-mode-reentry.js';
import { projectInstructions } from './project-instructions.js';
import { queuedCommands } from './queued-commands.js';
import { quotedTags } from './quoted-tags.js';
import { relevantMemories } from './relevant-memories.js';
import { restoredFiles } from './restored-files.js';
import { skillDiscovery } from './skill-discovery.js';
import { skillListing } from './skill-listing.js';
import { taskNotifications } from './task-notifications.js';
import { taskReminder } from './task-reminder.js';
import { teamContext } from './team-context.js';
import { teammateMailbox } from './teammate-mailbox.js';
import { todoReminders } from './todo-reminders.js';
import { unifiedTasks } from './unified-tasks.js';
import { tokenUsage } from './token-usage.js';
import { totalTokensReminder } from './total-tokens-reminder.js';
import { ultrathinkEffort } from './ultrathink-effort.js';
import { verifyPlanReminder } from './verify-plan-reminder.js';

export const builtInKinds: readonly AnyAttachmentKind[] = [
  projectInstructions,
  gitSnapshot,
  teamContext,
  atMentionedFiles,
  mcpResources,
  agentMentions,
  skillDiscovery,
  ...hookKinds,
  dateChange,
  skillListing,
  dynamicSkill,
  agentListingDelta,
  deferredToolsDelta,
  mcpInstructionsDelta,
  changedFiles,
  nestedMemory,
  relevantMemories,
  invokedSkills,
  restoredFiles,
  queuedCommands,
  taskNotifications,
  ultrathinkEffort,
  cwdChange,
  planMode,
  planModeReentry,
  planModeExit,
  planFileReference,
  autoMode,
  autoModeExit,
  todoReminders,
  taskReminder,
  teammateMailbox,
  agentPendingMessages,
  criticalSystemReminder,
  compactionReminder,
  companionIntro,
  quotedTags,
  ideSelection,
  ideOpenedFile,
  outputStyle,
  diagnostics,
  lspDiagnostics,
  unifiedTasks,
  tokenUsage,
  totalTokensReminder,
  outputTokenUsage,
  budgetUsd,
  verifyPlanReminder,
];
