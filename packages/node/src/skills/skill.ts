/** What a skill is: a text with instructions for one kind of task, and what its front matter says of it. */

import type { OwnHooks } from '../hooks/own-hooks.js';

export type SkillScope = 'managed' | 'user' | 'project' | 'nested';

/** Something about a skill's file that a person should mend. `error`: it keeps a part of the skill from having its effect. */
export type SkillProblem = { readonly severity: 'error' | 'warning'; readonly line: number; readonly message: string };

/** A skill (`<name>/SKILL.md`) or a slash command (`<name>.md`) as its file describes it. */
export type Skill = {
  readonly type: 'skill' | 'command';
  /** By which it is called: that of its folder or file, with the folders above it where a nearer one has the plain name. */
  readonly name: string;
  readonly scope: SkillScope;
  /** Real path of the file. */
  readonly path: string;
  /** Real path of the folder that its other files lie in. */
  readonly folder: string;
  /** Where it was found: a folder of skills or commands. */
  readonly place: string;
  /** What it is for and when to use it. Empty: nobody says. */
  readonly description: string;
  /** What its arguments are, for the person. */
  readonly hint: string;
  /** Names of the arguments, by position. */
  readonly argumentNames: readonly string[];
  /** Whether the model is told of it, and may load it. */
  readonly forModel: boolean;
  /** Whether a person may type it. */
  readonly forPerson: boolean;
  /** Permission rules that it allows for the turn. */
  readonly grants: readonly string[];
  /** Permission rules that it denies for the turn. */
  readonly denies: readonly string[];
  /** Fields of its front matter that other agents know, and that have no effect here. */
  readonly idle: readonly string[];
  /** Run while its text stands in the window. */
  readonly hooks?: OwnHooks;
  /** Its text is the task of a sub-agent of this type, whose answer comes back; absent: it is instructions for whoever loads it. */
  readonly agent?: string;
  /** It is offered only when a file that one of these globs matches was touched. */
  readonly globs?: readonly string[];
  /** False while no such file was. */
  readonly inReach: boolean;
  /** Whether what it runs and allows counts. */
  readonly isTrusted: boolean;
  /** Fields that count only once the folder is trusted. */
  readonly withheld: readonly string[];
  readonly problems: readonly SkillProblem[];
};

/** A skill that can't be had, and why. */
export type LeftSkill = {
  readonly name: string;
  readonly path: string;
  readonly scope: SkillScope;
  readonly status: 'shadowed' | 'off' | 'outside' | 'unreadable' | 'misnamed' | 'misplaced';
  readonly reason: string;
};
