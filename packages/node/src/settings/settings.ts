/** Every setting, with its meaning. The shape below is checked against the type, so neither can have a key the other lacks. */
import type { Json } from '@sidenote/engine';
import { amount, choice, either, flag, json, list, object, onOff, record, text, words, type Shape } from './shape.js';

export type PermissionSettings = {
  /** Rules: `Read(./src/**)`, `Bash(npm test:*)`. Those of all layers count. */
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /** Folders beside the working directory that may be worked in. Those of all layers count. */
  readonly additionalDirectories?: readonly string[];
  /** Nothing runs in the mode `bypassPermissions`. */
  readonly disableBypassPermissionsMode?: 'disable';
  readonly defaultMode?: 'default' | 'acceptEdits' | 'plan' | 'auto' | 'dontAsk' | 'bypassPermissions';
};

export type Settings = {
  readonly model?: string;
  /** Facts about models by name, over those of the built-in table; checked where they are used. */
  readonly models?: Readonly<Record<string, Json>>;
  readonly permissions?: PermissionSettings;
  /** By event; each entry is checked where hooks are run. Those of all layers count. */
  readonly hooks?: Readonly<Record<string, readonly Json[]>>;
  /** True: no hook runs. */
  readonly disableAllHooks?: boolean;
  /** Variables for this process and what it starts. */
  readonly env?: Readonly<Record<string, string>>;
  readonly outputStyle?: string;
  /** Globs against absolute paths of instruction files that are left out. Those of all layers count. */
  readonly claudeMdExcludes?: readonly string[];
  /** Instructions of the organisation. Counts in managed settings only. */
  readonly claudeMd?: string;
  /** False: no memory of earlier sessions is told, recalled or written. Default true. */
  readonly autoMemoryEnabled?: boolean;
  /** In place of the folder for memories of this project. Absolute, or beginning with `~/`. */
  readonly autoMemoryDirectory?: string;
  /** Where plans are written. Absolute, beginning with `~/`, or in the working directory. Default: `plans` beside the user's settings. */
  readonly plansDirectory?: string;
  /** Servers of the project's `.mcp.json` that may be started. Those of all layers count. */
  readonly enabledMcpjsonServers?: readonly string[];
  readonly disabledMcpjsonServers?: readonly string[];
  readonly enableAllProjectMcpServers?: boolean;
  readonly skillOverrides?: Readonly<Record<string, 'on' | 'name-only' | 'user-invocable-only' | 'off'>>;
  /** False: no git snapshot. */
  readonly includeGitInstructions?: boolean;
  /** Days after which sessions are removed. */
  readonly cleanupPeriodDays?: number;
  /** Part of the model's window for the skill listing, 0 to 1. */
  readonly skillListingBudgetFraction?: number;
  /** By kind: off, on, or the kind's own options. */
  readonly attachments?: Readonly<Record<string, boolean | Readonly<Record<string, Json>>>>;
  readonly reminders?: {
    readonly delivery?: 'inside-result' | 'after-results' | 'system-message' | 'auto';
    /** Part of the model's window for the attachments of one message, 0 to 1. */
    readonly share?: number;
  };
  readonly compaction?: {
    /** Compact a window that is nearly full without being asked. */
    readonly auto?: boolean;
    /** Percent of the window at which that happens. */
    readonly percent?: number;
  };
  readonly git?: { readonly position?: 'opening' | 'system' | 'off' };
  readonly cache?: { readonly mode?: 'planned' | 'automatic' | 'off'; readonly ttl?: '5m' | '1h' | 'auto' };
  readonly instructions?: {
    readonly files?: readonly string[];
    readonly rootMarkers?: readonly string[];
    readonly importDepth?: number;
    /** Tokens. */
    readonly budget?: number;
  };
  readonly memory?: {
    /** Where indexes are told: with the instructions (default), or with recalled memories. */
    readonly delivery?: 'instructions' | 'recall';
    /** The model that picks memories for a prompt. Default: none; a local search does. */
    readonly model?: string;
  };
  readonly skills?: { readonly discovery?: boolean };
  /** False: no editor is connected. Default true. */
  readonly ide?: boolean;
  /** Language servers by name, `false` for none: checked where they are started. */
  readonly lspServers?: Readonly<Record<string, Json>>;
  /** Which tools for todos are offered: the model's own list (default), tasks that agents share, or none. */
  readonly todos?: 'list' | 'tasks' | 'off';
  readonly language?: string;
  readonly proactive?: boolean;
  /** Where a session stops: dollars, all tokens, tokens that the model writes. Default: nowhere. */
  readonly budget?: { readonly usd?: number; readonly tokens?: number; readonly outputTokens?: number };
  /** A figure beside the input line. Default: none. */
  readonly companion?: { readonly name?: string; readonly figure?: string };
};

const merged = list(text, { merge: true });
const replaced = list(text, { merge: false });

export const settingsShape: Shape<Settings> = object<Settings>({
  model: text,
  models: record(json),
  permissions: object<PermissionSettings>({
    allow: merged,
    ask: merged,
    deny: merged,
    additionalDirectories: merged,
    defaultMode: choice('default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'),
    disableBypassPermissionsMode: choice('disable'),
  }),
  hooks: record(list(json, { merge: true })),
  disableAllHooks: flag,
  env: record(text),
  outputStyle: text,
  claudeMdExcludes: merged,
  claudeMd: text,
  autoMemoryEnabled: flag,
  autoMemoryDirectory: text,
  plansDirectory: text,
  enabledMcpjsonServers: merged,
  disabledMcpjsonServers: merged,
  enableAllProjectMcpServers: flag,
  skillOverrides: record(choice('on', 'name-only', 'user-invocable-only', 'off')),
  includeGitInstructions: flag,
  cleanupPeriodDays: amount(),
  skillListingBudgetFraction: amount({ max: 1 }),
  attachments: record(either(onOff, record(json))),
  reminders: object<NonNullable<Settings['reminders']>>({
    delivery: choice('inside-result', 'after-results', 'system-message', 'auto'),
    share: amount({ max: 1 }),
  }),
  compaction: object<NonNullable<Settings['compaction']>>({ auto: onOff, percent: amount({ min: 1, max: 100 }) }),
  git: object<NonNullable<Settings['git']>>({ position: choice('opening', 'system', 'off') }),
  cache: object<NonNullable<Settings['cache']>>({ mode: choice('planned', 'automatic', 'off'), ttl: choice('5m', '1h', 'auto') }),
  instructions: object<NonNullable<Settings['instructions']>>({
    files: replaced,
    rootMarkers: replaced,
    importDepth: amount(),
    budget: amount(),
  }),
  memory: object<NonNullable<Settings['memory']>>({ delivery: choice('instructions', 'recall'), model: text }),
  skills: object<NonNullable<Settings['skills']>>({ discovery: onOff }),
  ide: onOff,
  lspServers: record(json),
  todos: choice('list', 'tasks', 'off'),
  language: words,
  proactive: flag,
  budget: object<NonNullable<Settings['budget']>>({ usd: amount(), tokens: amount(), outputTokens: amount() }),
  companion: object<NonNullable<Settings['companion']>>({ name: text, figure: text }),
});
