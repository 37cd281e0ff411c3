/** One file of a skill or command, read and understood. */
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { readTextFile } from '../files/read.js';
import { definitionOf, type Definition } from '../front-matter/definition.js';
import { hooksField, type HooksField } from '../front-matter/hooks-field.js';
import { splitOutsideBraces } from '../front-matter/yaml-fields.js';
import type { OwnHooks } from '../hooks/own-hooks.js';
import type { Skill, SkillProblem } from './skill.js';

/** Bytes of one file: what is longer is no text that a model should be given at once. */
export const maxSkillBytes = 1024 * 1024;
/** Characters, by the open specification (agentskills.io, 2026-08). */
const limits = { name: 64, description: 1024, compatibility: 500 } as const;
/** Fields that other agents know: said, so that nobody relies on them. */
const unused: ReadonlySet<string> = new Set(['model', 'effort', 'background', 'shell']);

export type SkillText = { readonly skill: Skill; readonly body: string };
export type SkillReading = ({ readonly type: 'read' } & SkillText) | { readonly type: 'unusable'; readonly why: string };

export type SkillFile = Pick<Skill, 'type' | 'name' | 'scope' | 'place'> & { readonly path: string };

/** Never rejects. Front matter that can't be read counts as none; the text is kept. */
export async function readSkill(file: SkillFile): Promise<SkillReading> {
  const reading = await readTextFile(file.path, { maxBytes: maxSkillBytes });
  switch (reading.type) {
    case 'text': {
      const definition = await definitionOf(plain(reading.text));
      const own = await hooksField(definition, { file: reading.path, layer: layerOf(file.scope) });
      return { type: 'read', skill: describe({ ...file, path: reading.path }, definition, own), body: definition.body };
    }
    case 'missing':
      return { type: 'unusable', why: 'it is not there any more' };
    case 'unreadable':
      return { type: 'unusable', why: `it can't be read (${reading.why})` };
    case 'too-large':
      return { type: 'unusable', why: `it has ${reading.size} bytes, over the limit of ${maxSkillBytes}: move parts into files beside it` };
    case 'special':
      return { type: 'unusable', why: `it is a ${reading.kind}, not a regular file` };
    case 'directory':
      return { type: 'unusable', why: 'it is a folder, not a file' };
    default:
      return { type: 'unusable', why: 'it is not text' };
  }
}

const layerOf = (scope: SkillFile['scope']): OwnHooks['layer'] => (scope === 'nested' ? 'project' : scope);

function describe(file: SkillFile, { fields, body, lineOf, problem }: Definition, own: HooksField): Skill {
  const problems: SkillProblem[] = [];
  const report = (field: string, message: string, severity: SkillProblem['severity'] = 'warning'): void =>
    void problems.push({ severity, line: lineOf(field), message });
  if (problem !== undefined) problems.push({ ...problem, severity: 'error', message: `${problem.message}; none of its fields counts` });
  const text = (field: string): string => {
    const value = fields[field];
    if (value === undefined || value === null) return '';
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value).trim();
    report(field, `"${field}" is not a text`, 'error');
    return '';
  };
  const flag = (field: string): boolean | undefined => {
    const value = fields[field];
    if (value === undefined || value === null) return undefined;
    if (value === true || value === 'true') return true;
    if (value !== false && value !== 'false') report(field, `"${field}" is neither true nor false`, 'error');
    return false;
  };
  const list = (field: string, split: (text: string) => readonly string[]): readonly string[] => {
    const value: unknown = fields[field];
    if (value === undefined || value === null) return [];
    if (typeof value === 'string') return split(value);
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    report(field, `"${field}" is neither a text nor a list of texts`, 'error');
    return [];
  };
  const written = text('description');
  const when = text('when_to_use') || text('when-to-use');
  const description = [written || firstParagraph(body), when].filter(Boolean).join(' ');
  if (file.type === 'skill') checkNames(file, { written, text, report });
  const globs = list('paths', splitOutsideBraces);
  const agent = forkedAs({ text, report });
  for (const what of own.problems) report('hooks', what, 'error');
  const idle = Object.keys(fields).filter((field) => unused.has(field));
  for (const field of idle) report(field, `"${field}" has no effect on skills here`);
  return {
    ...file,
    folder: dirname(file.path),
    description,
    hint: text('argument-hint') || hintIn(fields['argument-hint']),
    argumentNames: list('arguments', words),
    // Commands were made for people; those that describe themselves are meant for the model, too.
    forModel: flag('disable-model-invocation') !== true && (file.type === 'skill' || written !== ''),
    forPerson: flag('user-invocable') !== false,
    grants: list('allowed-tools', rules),
    denies: list('disallowed-tools', rules),
    idle,
    ...(own.hooks === undefined ? {} : { hooks: own.hooks }),
    ...(agent === undefined ? {} : { agent }),
    ...(globs.length === 0 ? {} : { globs }),
    inReach: true,
    isTrusted: false,
    withheld: [],
    problems,
  };
}

type Fields = {
  text(field: string): string;
  report(field: string, message: string, severity?: SkillProblem['severity']): void;
};
type Check = Fields & { readonly written: string };

/** The type of agent whose task it is. */
function forkedAs({ text, report }: Fields): string | undefined {
  const [context, agent] = [text('context'), text('agent')];
  if (context === 'fork') return agent || 'general-purpose';
  if (context !== '') report('context', `"context" can only be fork, and not ${context}: it has no effect`, 'error');
  else if (agent !== '') report('agent', '"agent" has no effect without "context: fork"');
  return undefined;
}

function checkNames({ name }: SkillFile, { written, text, report }: Check): void {
  const given = text('name');
  const own = name.slice(name.lastIndexOf(':') + 1);
  if (given !== '' && given !== own) report('name', `its name is ${given}, and its folder's ${own}: it is called by that of the folder`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(own)) report('name', `${own} is no name for a skill: small letters, digits and single hyphens`);
  if (own.length > limits.name) report('name', `its name has ${own.length} characters; at most ${limits.name} are allowed`);
  if (written === '') report('description', 'it has no description: its first paragraph stands in');
  if (written.length > limits.description)
    report('description', `its description has ${written.length} characters; at most ${limits.description} are allowed`);
  const compatibility = text('compatibility').length;
  if (compatibility > limits.compatibility)
    report('compatibility', `"compatibility" has ${compatibility} characters; at most ${limits.compatibility} are allowed`);
}

/** Nothing in it moves a cursor or colours a screen. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  return stripVTControlCharacters(text).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '');
}

/** Of the text, without headings. */
function firstParagraph(body: string): string {
  const paragraphs = body.split(/\n[ \t]*\n/).map((part) => part.replace(/^#+ .*$/gm, '').trim());
  return paragraphs.find((part) => part !== '') ?? '';
}

const words = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

/** `Read, Bash(git add:*) Grep`: at spaces and commas that are not inside parentheses. */
function rules(text: string): readonly string[] {
  return text.match(/[\w.*-]+(?:\([^)]*\))?/g) ?? [];
}

/** `argument-hint: [name]` is a list to YAML. */
function hintIn(value: unknown): string {
  return Array.isArray(value) ? value.map((item) => `[${String(item)}]`).join(' ') : '';
}
