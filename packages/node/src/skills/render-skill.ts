/** The text that a model is given of a skill: arguments filled in, commands replaced by their output, its files named. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { substitute } from './arguments.js';
import { partsOf } from './injected.js';
import { readSkill } from './read-skill.js';
import type { Skill } from './skill.js';

/** What a command printed, or why it could not run or failed. */
export type Injected = { readonly type: 'output'; readonly text: string } | { readonly type: 'failed'; readonly why: string };

export type RenderOptions = {
  readonly args: string;
  /** `SESSION_ID`, `PROJECT_DIR` … without `CLAUDE_` in front. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether what a project's own skills name may be run. */
  readonly trusted: boolean;
  /** Runs one command of the skill, if it may. */
  run(command: string, skill: Skill): Promise<Injected>;
};

export type RenderedSkill = { readonly type: 'text'; readonly text: string } | { readonly type: 'failed'; readonly why: string };

/** Files that are named. */
const most = { files: 20, depth: 3 } as const;

/** Reads the file anew. A command that fails ends it: half a skill would be followed like a whole one. */
export async function renderSkill(skill: Skill, options: RenderOptions): Promise<RenderedSkill> {
  const reading = await readSkill(skill);
  const of = skill.type === 'skill' ? 'The skill' : 'The command';
  if (reading.type === 'unusable') return { type: 'failed', why: `${of} ${skill.name} can't be loaded: ${skill.path}: ${reading.why}.` };
  const filling = {
    args: options.args,
    names: skill.argumentNames,
    variables: { ...options.variables, SKILL_DIR: skill.folder },
  };
  let used = false;
  let text = '';
  for (const part of partsOf(reading.body)) {
    const filled = substitute(part.type === 'text' ? part.text : part.command, filling);
    used ||= filled.used;
    if (part.type === 'text') {
      text += filled.text;
      continue;
    }
    const injected = await runIn(skill, filled.text, options);
    if (injected.type === 'failed') {
      const place = `${skill.path} runs \`${filled.text}\``;
      return { type: 'failed', why: `${of} ${skill.name} was not loaded: ${place}, and ${injected.why}.` };
    }
    text += injected.text;
  }
  const body = text.trim() === '' ? '(Its text is empty.)' : text.trim();
  const rest = !used && options.args.trim() !== '' ? `\n\nARGUMENTS: ${options.args.trim()}` : '';
  return { type: 'text', text: `${await headOf(skill)}${body}${rest}` };
}

async function runIn(skill: Skill, command: string, { trusted, run }: RenderOptions): Promise<Injected> {
  const isOwn = skill.scope === 'user' || skill.scope === 'managed';
  if (!isOwn && !trusted) return { type: 'failed', why: 'this folder is not trusted to run commands (--trust lets it)' };
  return run(command, skill);
}

/** A command is words alone; a skill is a folder of files. */
async function headOf(skill: Skill): Promise<string> {
  if (skill.type === 'command') return '';
  const files = await filesBeside(skill.folder, '', 0);
  const shown = files.filter((file) => file !== 'SKILL.md').slice(0, most.files);
  const more = files.length - 1 - shown.length;
  const list = shown.length === 0 ? '' : ` Read what it refers to there when you need it: ${shown.join(', ')}${more > 0 ? ' …' : ''}.`;
  return `Skill ${skill.name}, from the folder ${skill.folder}.${list}\n\n`;
}

async function filesBeside(folder: string, below: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (files.length > most.files + 1) break;
    if (/[\0-\x1f\x7f]/.test(entry.name)) continue;
    const path = join(below, entry.name);
    if (entry.isDirectory()) {
      if (depth < most.depth && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        files.push(...(await filesBeside(folder, path, depth + 1)));
    } else files.push(path);
  }
  return files;
}
