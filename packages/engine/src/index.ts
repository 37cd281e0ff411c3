export type * from './content/content.js';
export type * from './transcript/records.js';
export type * from './transcript/fold.js';
export type { Packing } from './transcript/past.js';
export type * from './transcript/store.js';
export * from './transcript/errors.js';
export { MemoryStore } from './transcript/memory-store.js';
export type * from './attachments/ports.js';
export * from './attachments/contract.js';
export type * from './request/wire.js';
export type * from './request/plan.js';
export type * from './request/model.js';
export type * from './session/session.js';
export { openSession } from './session/open-session.js';
export { kindSwitches, whyOff } from './session/switches.js';
export { agentsFold, type SpawnedAgent } from './session/agents.js';
export * from './session/errors.js';
export type * from './request/problem.js';
export { validateBody } from './request/validate.js';
export { accountOf, type Account, type Difference } from './request/account.js';
export type { PrefixDrift } from './request/compare.js';
export { diffRequests, type Appended, type Changed, type DiffOptions, type RequestDiff } from './request/diff.js';
export type { Fullness } from './window/fullness.js';
export * from './window/threshold.js';
export * from './window/kept-tail.js';
export type { Standing } from './window/standing.js';
export type { Shrunk } from './window/shrink.js';
export * from './window/summary-words.js';
export * from './window/plain-summary.js';
export { readTranscript, whyNoConversation, type StoredTranscript } from './session/read-transcript.js';
export { readPublic, type PublicTranscript } from './transcript/public/read.js';
export { publicRecords } from './transcript/public/records.js';
export { analyze, type Amount, type Analysis, type AnalysisSource, type By, type Part } from './window/analyze.js';
export type { FilePart } from './window/file-parts.js';
export { countWindow, type WindowCount } from './window/count.js';
export { inputTokens } from './window/usage.js';
export { profileOf, thinkingOf } from './request/profiles.js';
export {
  profilesWith,
  readModelOverrides,
  type ModelOverride,
  type ModelOverrides,
  type ReadOverrides,
} from './request/model-overrides.js';
export * from './request/chat.js';
export * from './request/simple-context.js';
export * from './content/count-text.js';
export * from './content/media-tokens.js';
export * from './content/message-of.js';
export { wireMedia } from './content/media.js';
export * from './content/tags.js';
export * from './content/text.js';
export {
  skillGranted,
  skillGrantsFold,
  skillInvoked,
  skillsInWindowFold,
  type SkillInvocation,
} from './attachments/parts/skill-effects.js';
export { taskTold, type TaskChange, type TaskState } from './attachments/parts/task-effects.js';
export type { ListedTask, Todo, TodoStatus } from './attachments/parts/todo-lines.js';
export { todosFold } from './attachments/kinds/todo-reminders.js';
export { planEffect, planIn, type PlanOutcome } from './attachments/parts/plan-effects.js';
export { builtInKinds } from './attachments/kinds/index.js';
export { toldLevelFold } from './attachments/kinds/compaction-reminder.js';
export { levelPassed } from './attachments/parts/window-levels.js';
export { MOST_CRITICAL } from './attachments/kinds/critical-system-reminder.js';
export { dateChange } from './attachments/kinds/date-change.js';
export { typedSkill } from './attachments/kinds/invoked-skills.js';
export { hookKinds, type HookText } from './attachments/kinds/hooks.js';
export { gitSnapshot } from './attachments/kinds/git-snapshot.js';
export { STYLE_SECTION } from './attachments/kinds/output-style.js';
export { projectInstructions } from './attachments/kinds/project-instructions.js';
export { recalledMemories, type Recalled } from './attachments/kinds/relevant-memories.js';
export { viewsFold, type Views } from './attachments/parts/views.js';
export * from './prompt/layers.js';
export * from './prompt/system-section.js';
export * from './prompt/errors.js';
