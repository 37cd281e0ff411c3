/** The events that hooks can be set for, and what each of them lets a hook do. */

export const HOOK_EVENTS = [
  'SessionStart',
  'SessionEnd',
  'InstructionsLoaded',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'PostCompact',
] as const;

export type HookEventName = (typeof HOOK_EVENTS)[number];

/** Events of other agents that never happen here: hooks for them are said to have no effect, and break nothing. */
export const FOREIGN_EVENTS: readonly string[] = [
  'Setup',
  'UserPromptExpansion',
  'MessageDisplay',
  'PermissionDenied',
  'PostToolBatch',
  'TaskCreated',
  'TaskCompleted',
  'StopFailure',
  'TeammateIdle',
  'ConfigChange',
  'CwdChanged',
  'DirectoryAdded',
  'FileChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'Elicitation',
  'ElicitationResult',
  'PreSkillShellCommand',
];

export type EventRules = {
  /** What a matcher is held against; null: every hook of the event runs. */
  readonly matches: string | null;
  /** Whether `additionalContext` reaches the model. */
  readonly context: boolean;
  /** Whether plain text on standard output does. */
  readonly plain: boolean;
  /** What exit status 2 and `decision: "block"` do: the call is denied, what happens is blocked, or a person is told. */
  readonly objection: 'denies' | 'blocks' | 'is-shown';
  /** Milliseconds that a hook without a `timeout` may take. */
  readonly limitMs: number;
};

const TEN_MINUTES = 600_000;
const tool = { matches: 'the name of the tool', context: true, plain: false, limitMs: TEN_MINUTES } as const;
const seen = { context: false, plain: false, objection: 'is-shown', limitMs: TEN_MINUTES } as const;

/** Words wait for the first two: their limits are short, so that a hook that never ends is no session that never begins. */
export const EVENT_RULES: Readonly<Record<HookEventName, EventRules>> = {
  SessionStart: { matches: 'how the session began', context: true, plain: true, objection: 'is-shown', limitMs: 60_000 },
  UserPromptSubmit: { matches: null, context: true, plain: true, objection: 'blocks', limitMs: 30_000 },
  SessionEnd: { ...seen, matches: 'why the session ended', limitMs: 1_500 },
  InstructionsLoaded: { ...seen, matches: 'why the file was loaded' },
  PreToolUse: { ...tool, objection: 'denies' },
  PermissionRequest: { ...tool, context: false, objection: 'denies' },
  PostToolUse: { ...tool, objection: 'blocks' },
  PostToolUseFailure: { ...tool, objection: 'blocks' },
  Notification: { ...seen, matches: 'the type of the notification' },
  SubagentStart: { matches: 'the type of the agent', context: true, plain: false, objection: 'is-shown', limitMs: TEN_MINUTES },
  SubagentStop: { matches: 'the type of the agent', context: true, plain: false, objection: 'blocks', limitMs: TEN_MINUTES },
  Stop: { matches: null, context: true, plain: false, objection: 'blocks', limitMs: TEN_MINUTES },
  PreCompact: { matches: 'what asked for it', context: false, plain: false, objection: 'blocks', limitMs: TEN_MINUTES },
  PostCompact: { ...seen, matches: 'what asked for it' },
};

export function isHookEvent(name: string): name is HookEventName {
  return HOOK_EVENTS.some((event) => event === name);
}
