/** Law: whatever is allowed runs only programs that a rule names, however the line was put together. The real bash is the judge. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asker } from '../permissions.testing.js';

const run = promisify(execFile);
let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'sidenote-shell-')));
  await mkdir(path.join(root, 'bin'));
  await mkdir(path.join(root, 'project', 'src'), { recursive: true });
  // Stand-ins for programs: each writes its name down, and does nothing else.
  for (const name of ['npm', 'git', 'ls', 'cat', 'rm', 'forbidden']) {
    const file = path.join(root, 'bin', name);
    await writeFile(file, `#!/bin/sh\necho ${name} >> "${root}/ran"\n`);
    await chmod(file, 0o755);
  }
  for (const name of ['timeout', 'env', 'nohup', 'xargs', 'nice', 'sh', 'bash']) {
    const { stdout } = await run('/bin/sh', ['-c', `command -v ${name}`]);
    await writeFile(path.join(root, 'bin', name), `#!/bin/sh\nexec ${stdout.trim()} "$@"\n`, { mode: 0o755 });
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

const rules = {
  allow: [
    'Bash(npm run test:*)',
    'Bash(git commit:*)',
    'Bash(ls:*)',
    'Bash(timeout:*)',
    'Bash(xargs:*)',
    'Bash(env:*)',
    'Bash(printf:*)',
    'Bash(echo:*)',
  ],
};
const good = fc.constantFrom('npm run test', 'git commit -m x', 'ls', 'echo a', 'cat src', 'printf a', 'true', 'x=1', 'cd src');
const evil = fc.constantFrom(
  'rm -rf x',
  'forbidden',
  '\\rm x',
  "$'\\x72m' x",
  'r""m x',
  'PATH=. forbidden',
  '$(echo rm) x',
  'command rm x',
  'eval "rm x"',
  "sh -c 'rm x'",
  'x=rm; $x y',
  '"rm" x',
  '`echo rm` x',
  '{rm,x}',
  'r\\\nm x',
  "a='b[$(rm)]'; echo $((a))",
  "printf -v 'a[$(rm)]' x",
);
const glue = fc.constantFrom(
  ';',
  '\n',
  '&&',
  '||',
  '|',
  '&',
  '|&',
  ' ',
  '  ',
  '\t',
  '\\\n',
  '#',
  ' # ',
  '"',
  "'",
  '`',
  '$(',
  ')',
  '${x:-',
  '}',
  '<(',
  '>(',
  '((',
  '))',
  '{ ',
  '; }',
  '( ',
  '<<EOF\n',
  '\nEOF\n',
  "<<'EOF'\n",
  '<<<',
  '>',
  '2>&1',
  '!',
  'if true; then ',
  '; fi',
  'for i in 1; do ',
  '; done',
  'f() { ',
  '; f',
  '[[ ',
  ' ]]',
  'case x in x) ',
  ';; esac',
  'time ',
  'timeout 5 ',
  'env ',
  'nice ',
  'nohup ',
  'xargs ',
  'xargs -I{} ',
  'coproc ',
  '\\',
  '$',
  '*',
  '~',
  '=',
  "$'",
  '$"',
  '-- ',
  'echo "$(',
  ')"',
  '@(',
  ' in ',
  'alias ls=',
  'trap ',
  ' EXIT',
  '\u00a0',
  '\u0085',
  '\v',
  '\f',
  '\r',
  '$[',
  ']',
  'a[',
  ']=1',
  'function g ',
  'until ',
  'while ',
  '; do ',
  'select i in 1',
  ';&',
  '&>',
  '<&',
  'x',
);
const line = fc
  .tuple(
    good,
    fc.array(fc.oneof({ weight: 5, arbitrary: glue }, { weight: 2, arbitrary: evil }, { weight: 2, arbitrary: good }), {
      minLength: 1,
      maxLength: 7,
    }),
  )
  .map(([start, rest]) => start + rest.join(''));
const harmful = fc.tuple(line, evil, line).map((parts) => parts.join(''));

/** Programs that bash really started. */
async function ran(command: string): Promise<string> {
  const file = path.join(root, 'ran');
  await rm(file, { force: true });
  await run('/bin/bash', ['-c', command], { cwd: path.join(root, 'project'), env: { PATH: path.join(root, 'bin') }, timeout: 5_000 }).catch(
    () => null,
  );
  return readFile(file, 'utf8').catch(() => '');
}

const project = () => ({ cwd: path.join(root, 'project'), home: path.join(root, 'home'), outside: root, remove: async () => {} });

it('no line that is allowed starts a program that no rule names', async () => {
  const { bash } = asker(project(), { rules });
  let allowed = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(line, harmful), async (command) => {
      if ((await bash(command)).type !== 'allow') return;
      allowed += 1;
      expect(`${command} ran ${(await ran(command)).replace(/\n/g, ' ')}`).not.toMatch(/ ran .*\b(rm|forbidden)\b/);
    }),
    { numRuns: 600 },
  );
  // Or the law would hold because nothing is allowed.
  expect(allowed).toBeGreaterThan(10);
});

it('no line is allowed that has a forbidden command after a separator or in a substitution', async () => {
  const { bash } = asker(project(), { rules });
  const joint = fc.constantFrom(
    (a: string, b: string) => `${a}; ${b}`,
    (a: string, b: string) => `${a}\n${b}`,
    (a: string, b: string) => `${a} && ${b}`,
    (a: string, b: string) => `${a} || ${b}`,
    (a: string, b: string) => `${a} | ${b}`,
    (a: string, b: string) => `${a} & ${b}`,
    (a: string, b: string) => `${a} $(${b})`,
    (a: string, b: string) => `${a} "$(${b})"`,
    (a: string, b: string) => `${a} \`${b}\``,
    (a: string, b: string) => `${a} <(${b})`,
    (a: string, b: string) => `${a} "\${x:-$(${b})}"`,
    (a: string, b: string) => `${a} <<E\n$(${b})\nE`,
    (a: string, b: string) => `${a} | xargs ${b}`,
    (a: string, b: string) => `(${a}; { ${b}; })`,
    (a: string, b: string) => `if ${a}; then ${b}; fi`,
    (a: string, b: string) => `f() { ${b}; }; f`,
  );
  await fc.assert(
    fc.asyncProperty(
      good,
      joint,
      fc.constantFrom('rm -rf x', 'timeout 5 rm -rf x', "bash -c 'rm -rf x'", 'env rm -rf x', '\\rm -rf x'),
      async (start, join, end) => {
        expect((await bash(join(start, end))).type).toBe('ask');
      },
    ),
    { numRuns: 500 },
  );
});

it('never throws, whatever the text', async () => {
  const { bash } = asker(project(), { rules });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => void (await bash(text))),
    { numRuns: 300 },
  );
  expect((await bash('$('.repeat(2_000))).type).toBe('ask');
  expect((await bash('('.repeat(20_000))).type).toBe('ask');
});
