/** A small project on a real disk, and tools to ask permission for: what the tests of this folder stand on. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AnyTool } from '../tools/tool.js';
import type { Decision } from './contract.js';
import { createPermissions } from './permissions.js';
import type { PermissionOptions, RulePermissions } from './permissions.js';

export type Project = { readonly cwd: string; readonly home: string; readonly outside: string; remove(): Promise<void> };

export async function makeProject(): Promise<Project> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'sidenote-permissions-')));
  const [cwd, home, outside] = [path.join(root, 'project'), path.join(root, 'home'), path.join(root, 'outside')];
  await mkdir(path.join(cwd, 'src'), { recursive: true });
  await mkdir(path.join(cwd, '.git'));
  await mkdir(home);
  await mkdir(outside);
  await writeFile(path.join(cwd, 'src', 'a.ts'), 'a\n');
  await writeFile(path.join(cwd, '.env'), 'KEY=1\n');
  await writeFile(path.join(outside, 'secret'), 'secret\n');
  await symlink(outside, path.join(cwd, 'link'));
  await mkdir(path.join(cwd, 'trap'));
  await symlink(path.join(outside, 'secret'), path.join(cwd, 'trap', 'a.ts'));
  await symlink(path.join(outside, 'not-there-yet'), path.join(cwd, 'dangling'));
  return { cwd, home, outside, remove: () => rm(root, { recursive: true, force: true }) };
}

export function fakeTool(name: string, access: AnyTool['access']): AnyTool {
  return {
    spec: { name, description: name, input_schema: { type: 'object' } },
    access,
    parse: (input) => ({ ok: true, input }),
    ...(access === 'execute' ? {} : { paths: (input: { file_path?: string }) => (input.file_path === undefined ? [] : [input.file_path]) }),
    title: () => name,
    run: async () => ({ content: [] }),
  };
}

const accesses: Readonly<Record<string, AnyTool['access']>> = { Read: 'read', Grep: 'read', Edit: 'write', Write: 'write' };

/** Asks about one call: a command for Bash, a path for the file tools. */
export function asker(
  project: Project,
  options: Partial<Pick<PermissionOptions, 'mode' | 'rules' | 'memoryDirectory' | 'planFile' | 'granted' | 'later'>> = {},
) {
  const permissions: RulePermissions = createPermissions({
    cwd: project.cwd,
    home: project.home,
    mode: 'default',
    rules: {},
    ...options,
  });
  const judge = (name: string, subject: string, allow: readonly string[] = []): Promise<Decision> => {
    const tool = fakeTool(name, accesses[name] ?? 'execute');
    const input = tool.access === 'execute' ? { command: subject } : { file_path: path.resolve(project.cwd, subject) };
    return permissions.judge({ id: 'call', name, input }, tool, input, { allow });
  };
  return { permissions, judge, bash: (command: string) => judge('Bash', command) };
}
