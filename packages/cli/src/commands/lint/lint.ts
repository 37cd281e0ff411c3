/** `sidenote lint`: what is wrong with the files and settings that get injected, each with file, line and what helps. */
import { join } from 'node:path';
import { listFiles, modelName } from '@sidenote/agent';
import { projectRoot, readTextFile } from '@sidenote/node';
import { explainFiles } from '../../assemble/instruction-options.js';
import { skillLibrary } from '../../assemble/skill-part.js';
import { setUp } from '../../assemble/set-up.js';
import { switched, type Flags } from '../../flags/parse.js';
import { inside } from '../../inside.js';
import { say, type Io } from '../../io.js';
import { agentFindings } from './agent-findings.js';
import { fileFindings } from './file-findings.js';
import type { Finding } from './finding.js';
import { skillFindings } from './skill-findings.js';
import { settingsFindings } from './settings-findings.js';

/** @returns 1 when there are errors; warnings alone are no failure. */
export async function lint(io: Io, flags: Flags): Promise<number> {
  const setup = await setUp(io, flags, { dry: true });
  const files = await explainFiles(setup, modelName(setup.asked, setup.io.env));
  const root = await projectRoot(io.cwd);
  let listed: ReturnType<typeof listFiles> | undefined;
  const projectFiles = async (): Promise<readonly string[] | undefined> => {
    const list = await (listed ??= listFiles(root, { signal: io.signal }));
    return list.cut ? undefined : list.files.map((file) => join(root, file));
  };
  const source = async (path: string): Promise<string | undefined> => {
    const reading = await readTextFile(path);
    return reading.type === 'text' ? reading.text : undefined;
  };
  // A skill comes into reach by what lies beside it.
  const beside = ((await projectFiles()) ?? []).filter((path) => path.endsWith('/SKILL.md')).map((path) => join(path, '../../../..', '/'));
  // What counts only in a trusted folder is judged all the same: nothing of it is run.
  const judged = setup.trusted ? setup : await setUp(io, flags, { dry: true, trusted: true });
  const findings = inPlace([
    ...(await fileFindings(files, { root, source, projectFiles })),
    ...skillFindings(await skillLibrary(setup).read(beside)),
    ...agentFindings((await setup.agents.read()).value),
    ...settingsFindings(judged),
  ]);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const summary = { files: files.length, errors, warnings: findings.length - errors };
  if (switched(flags, 'json')) io.stdout.write(`${JSON.stringify({ findings, ...summary }, null, 2)}\n`);
  else say(io, lintText(findings, summary, io.cwd));
  return errors > 0 ? 1 : 0;
}

/** Files in the order in which something was found in them, and their lines in order. */
function inPlace(findings: readonly Finding[]): readonly Finding[] {
  const files = [...new Set(findings.map(({ file }) => file))];
  return findings.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0));
}

type Summary = { readonly files: number; readonly errors: number; readonly warnings: number };

function lintText(findings: readonly Finding[], { files, errors, warnings }: Summary, cwd: string): string {
  const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
  const lines = findings.map(
    ({ rule, severity, file, line, message }) =>
      `${inside(file, cwd)}${line === undefined ? '' : `:${line}`}: ${severity} (${rule}): ${inside(message, cwd)}`,
  );
  const looked = `${count(files, 'instruction file')}, skills, agents, servers and settings looked at`;
  return [...lines, `${count(errors, 'error')}, ${count(warnings, 'warning')}; ${looked}`].join('\n');
}
