/** Loads a skill for the model or for a person who typed its name: its commands run under the rules of `Bash`. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { skillsInWindowFold, type Blobs, type SkillInvocation, type Transcript } from '@sidenote/engine';
import { renderSkill, type Injected, type Skill, type SkillLibrary } from '@sidenote/node';
import type { Permissions } from '../permissions/contract.js';
import { parseRule } from '../permissions/rule.js';
import { runCommand } from '../process/run-command.js';
import type { ToolEnvironment } from '../tools/environment.js';
import { plainOutput } from '../tools/plain-output.js';
import type { AnyTool } from '../tools/tool.js';

export type SkillLoaderOptions = {
  readonly library: SkillLibrary;
  readonly permissions: Permissions;
  readonly environment: Pick<ToolEnvironment, 'cwd' | 'env' | 'home' | 'outputDir'>;
  /** What `${CLAUDE_SESSION_ID}` stands for. */
  readonly sessionId: string;
  /** One line for the person, once for each skill: fields of it that have no effect, and rules that can't be read. */
  readonly tell?: (line: string) => void;
};

export type LoadedSkill =
  | { readonly type: 'loaded'; readonly skill: Skill; readonly text: string; readonly invocation: SkillInvocation }
  /** `missing`: there is none of this name. `why`: one or two sentences, also with what was probably meant. */
  | { readonly type: 'refused' | 'missing'; readonly why: string };

export type LoadRequest = {
  readonly name: string;
  readonly args: string;
  /** Who asks: a skill may be closed to one of them. */
  readonly by: 'model' | 'person';
  readonly transcript: Pick<Transcript, 'read'>;
  readonly blobs: Blobs;
  readonly signal: AbortSignal;
};

export interface SkillLoader {
  load(request: LoadRequest): Promise<LoadedSkill>;
}

/** Milliseconds that one command may take. */
const LIMIT = 60_000;
/** Of what a command that failed printed: the last lines and characters. */
const LINES = 3;
const CHARACTERS = 300;
/** Names in a refusal. */
const MOST = 30;

/** The call that a command of a skill is judged as. */
const shell: AnyTool = {
  spec: { name: 'Bash', description: '', input_schema: { type: 'object' } },
  access: 'execute',
  parse: (input) => ({ ok: true, input }),
  title: () => 'Bash',
  run: async () => ({ content: [] }),
};

/** What of its front matter counts for nothing. */
function faultsOf({ idle, grants, denies }: Skill, { cwd, home = cwd }: SkillLoaderOptions['environment']): readonly string[] {
  const read = (list: 'allow' | 'deny', rules: readonly string[]): readonly string[] =>
    rules.flatMap((rule) => {
      const parsed = parseRule(rule, list, { cwd, home });
      return parsed.ok ? [] : parsed.message;
    });
  const fields = idle.length === 0 ? [] : [`${idle.join(', ')} in its front matter ${idle.length === 1 ? 'has' : 'have'} no effect here`];
  return [...fields, ...read('allow', grants), ...read('deny', denies)];
}

export function createSkillLoader(options: SkillLoaderOptions): SkillLoader {
  const { library, permissions, environment, sessionId, tell } = options;
  const told = new Set<string>();
  const tellFaults = (skill: Skill): void => {
    if (!told.has(skill.path)) for (const fault of faultsOf(skill, environment)) tell?.(`the skill ${skill.name}: ${fault}`);
    told.add(skill.path);
  };

  const run = async (command: string, skill: Skill, signal: AbortSignal): Promise<Injected> => {
    const input = { command };
    const decision = await permissions.judge({ id: `skill-${skill.name}`, name: 'Bash', input }, shell, input, {
      allow: skill.grants,
      deny: skill.denies,
    });
    if (decision.type !== 'allow') {
      const help = decision.type === 'ask' ? '; name it in allowed-tools, or allow it by a rule' : '';
      return { type: 'failed', why: `it may not run: ${decision.why}${help}` };
    }
    const result = await runCommand({
      command,
      cwd: environment.cwd,
      env: environment.env,
      timeoutMs: LIMIT,
      signal,
      capture: { file: join(environment.outputDir, `skill-${randomUUID()}.log`) },
    });
    if (result.type === 'not-started') return { type: 'failed', why: `it could not be started (${result.why})` };
    const output = plainOutput(result.output);
    if (result.exit === 0) return { type: 'output', text: output };
    const how = result.timedOut ? `it took longer than ${LIMIT / 1_000} s` : result.aborted ? 'it was interrupted' : ended(result);
    const last = output.split('\n').slice(-LINES).join('; ').slice(-CHARACTERS).toWellFormed();
    return { type: 'failed', why: last === '' ? how : `${how}: ${last}` };
  };

  return {
    async load({ name, args, by, transcript, blobs, signal }) {
      const { touched } = transcript.read(skillsInWindowFold);
      const found = await library.find(name, touched.paths);
      if (found.type === 'missing') return missing(library, { ...found, name, by, touched: touched.paths });
      const { skill } = found;
      if (by === 'model' && !skill.forModel) {
        return { type: 'refused', why: `Only the user starts ${skill.name}, by typing /${skill.name}.` };
      }
      if (by === 'person' && !skill.forPerson)
        return { type: 'refused', why: `${skill.name} is a skill for the model alone: ask for what it does` };
      const rendered = await renderSkill(skill, {
        args,
        trusted: skill.isTrusted,
        variables: { SESSION_ID: sessionId, PROJECT_DIR: await library.root() },
        run: (command, of) => run(command, of, signal),
      });
      if (rendered.type === 'failed') return { type: 'refused', why: rendered.why };
      const { text } = rendered;
      tellFaults(skill);
      const { folder, grants, denies, hooks } = skill;
      const digest = await blobs.put(text);
      const invocation = { name: skill.name, args, digest, folder, grants, denies, whole: true, ...(hooks === undefined ? {} : { hooks }) };
      return { type: 'loaded', skill, text, invocation };
    },
  };
}

const ended = ({ exit, signal }: { readonly exit: number | null; readonly signal: NodeJS.Signals | null }): string =>
  exit === null ? `it was ended by ${signal}` : `it ended with exit code ${exit}`;

type Missing = {
  readonly name: string;
  readonly near?: string;
  readonly why?: string;
  readonly by: LoadRequest['by'];
  readonly touched: readonly string[];
};

async function missing(library: SkillLibrary, { name, near, why, by, touched }: Missing): Promise<LoadedSkill> {
  if (why !== undefined) return { type: 'refused', why: `The skill ${name} can't be loaded: ${why}.` };
  if (near !== undefined) return { type: 'missing', why: `There is no skill ${name}; did you mean ${near}?` };
  const { skills } = await library.read(touched);
  const names = [...skills.values()].filter(({ forModel, forPerson }) => (by === 'model' ? forModel : forPerson)).map((one) => one.name);
  if (names.length === 0) return { type: 'missing', why: `There is no skill ${name}; there are none here.` };
  return {
    type: 'missing',
    why: `There is no skill ${name}. There are ${names.slice(0, MOST).join(', ')}${names.length > MOST ? ' …' : ''}.`,
  };
}
