import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asker, makeProject } from '../permissions.testing.js';
import type { Project } from '../permissions.testing.js';

let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project.remove());

const judged = async (commands: readonly string[], options: Parameters<typeof asker>[1] = {}) => {
  const { bash } = asker(project, options);
  return Promise.all(commands.map(async (command) => `${(await bash(command)).type}: ${command}`));
};
const all = (type: string, commands: readonly string[]) => commands.map((command) => `${type}: ${command}`);

const rules = { allow: ['Bash(npm run test:*)', 'Bash(git commit *)', 'Bash(ls*)', 'Bash(docker compose up)'] };

describe('without rules', () => {
  it('runs what only reads inside', async () => {
    const commands = [
      'ls', 'ls -la src', 'cat src/a.ts', 'head -20 src/a.ts', 'tail -n +5 src/a.ts', 'wc -l src/*.ts', 'pwd', 'echo "hello world"', 'grep -rn "a b" src',
      "grep -rn '/etc/x' src", 'rg -n foo', 'find . -name "*.ts" -not -path "./x/*"', 'git status', 'git log --oneline -5', 'git diff HEAD~1 -- src/a.ts',
      'git show HEAD:src/a.ts', 'git branch --list', 'git branch', 'git --no-pager log', 'cat src/a.ts | sort | uniq -c', 'ls && pwd; git status',
      'cd src && ls', 'cat < src/a.ts', 'ls 2>/dev/null', 'ls 2>&1 | head', 'timeout 5 ls', 'env CI=1 ls', 'time ls', "bash -c 'ls src'", 'for f in a b; do ls; done',
      'if [ -f src/a.ts ]; then cat src/a.ts; fi', "sed -n '1,5p' src/a.ts", 'set -euo pipefail; ls', 'cut -d: -f1 src/a.ts', "cat <<'EOF'\n$(rm -rf x)\nEOF", 'command -v node', '(ls)', '{ ls; }', 'find . \\( -name a -o -name b \\)',
      'ls # rm -rf /', 'echo $(pwd)'.replace('$(pwd)', 'x'), 'ls;',
    ]; // prettier-ignore
    expect(await judged(commands)).toEqual(all('allow', commands));
  });

  it('asks about everything else', async () => {
    const commands = [
      'npm test', 'rm -rf src', 'cat /etc/passwd', 'cat ../outside/secret', 'cat link/secret', 'cat link/*', 'ls link/../outside', 'cat ~/x', 'grep x -r ..', 'cat src/a.ts > out', 'echo x >> ../out',
      'cat < /etc/passwd', 'find . -delete', 'find . -exec rm {} +', 'find / -name x', 'find . -fprint x', 'git -c core.pager=x log', 'git -C .. log', 'git branch new', 'git diff --output=x',
      'git diff --outp=x', 'git log --ext-diff', 'git push', '\\ls', "$'\\x6cs'", '$CMD', 'cat $FILE', 'echo $SECRET', 'cat {a,/etc/passwd}', 'cat <(ls)', 'sudo ls', 'eval "$X"', 'sh', 'curl x | sh',
      'echo ls | bash', 'bash script.sh', 'xargs cat', 'ls | xargs rm', 'xargs', 'PATH=. ls', 'LD_PRELOAD=x ls', 'PATH=.; ls', 'for PATH in .; do ls; done', 'export PATH=.', 'cd /tmp && ls', 'cd src && cat ../../outside/secret',
      'cd', 'cd -', 'pushd src && ls', 'while true; do cd src; done; cat x', 'sort -o out src/a.ts', 'sort --compress-program=x src/a.ts', 'rg --pre=x y', 'rg --files /etc', 'rg -f /etc/passwd',
      'uniq src/a.ts out', 'grep -f /etc/passwd src/a.ts', 'grep -e x /etc/passwd', 'printenv', 'env', 'node -e 1', 'tail -f src/a.ts', 'sed -i s/a/b/ src/a.ts', "sed -n '1w out' src/a.ts", '[[ $x -eq 1 ]]', 'echo $((x))',
      'echo ${x:=1}', 'echo ${!x}', 'echo ${x@P}', 'ls "', 'ls | ', 'if', 'coproc ls', '{fd}>x ls', 'ls\u0000', 'ls\r', './ls', '/tmp/ls', 'ls() { rm x; }; ls', 'ls() { ls | ls & }; ls', ':(){ :|:& };:', 'printf -v x y', 'test -v x', 'trap ls EXIT',
      'timeout 5 rm x', 'env -S "rm x"', 'nohup rm x', "bash -c 'rm x'", "sh -c \"sh -c 'rm x'\"", 'command rm x', 'builtin cd /', 'exec rm x', 'cat > /dev/tcp/h/1', 'cat src/a.ts & rm x', 'ls\nrm x', 'ls || rm x', 'echo `rm x`', 'echo "$(rm x)"', 'echo "${x:-$(rm x)}"',
      'cat <<EOF\n$(rm x)\nEOF', 'cat <<< "$(rm x)"', 'ls >"$(rm x)"', 'case x in x) rm x;; esac', 'find . -exec sh -c "rm x" \\;', 'cat dangling', 'echo $(< /etc/passwd)', 'diff -r src link', '> out', 'exec > out',
    ]; // prettier-ignore
    expect(await judged(commands)).toEqual(all('ask', commands));
  });
});

describe('with rules', () => {
  it('a prefix holds on whole words, for each command on its own', async () => {
    const allowed = [
      'npm run test',
      'npm run test -- --watch',
      'CI=1 npm run test | head',
      'npm run test && git commit -m "a; rm -rf b"',
      'npm run test "$FILE"',
      'npm run test 2>&1',
      'lsof',
      'docker compose up',
      'ls | xargs npm run test',
      'timeout 60 npm run test',
      'npm run test > /dev/null',
    ];
    expect(await judged(allowed, { rules })).toEqual(all('allow', allowed));
    const asked = [
      'npm run test:unit',
      'npm run',
      '"npm run test"',
      'npm run test; rm x',
      'npm run test > out',
      'npm run test $(rm x)',
      './npm run test',
      'n* run test',
      'docker compose up -d',
      'npm run tes*',
      'NODE_OPTIONS=x npm run test',
      'cd /tmp && npm run test',
    ];
    expect(await judged(asked, { rules })).toEqual(all('ask', asked));
  });

  it('what is forbidden stays so in every disguise', async () => {
    const denied = [
      'rm x',
      'ls; rm x',
      '\\rm x',
      '/bin/rm x',
      "$'\\x72m' x",
      'r""m x',
      'sudo rm x',
      'sudo -u bob rm x',
      'timeout 5 rm x',
      'xargs rm',
      'find . -exec rm {} \\;',
      "bash -c 'rm x'",
      'echo $(rm x)',
      'X=$(rm x)',
      'env A=b rm x',
      'rm "',
      'watch rm x',
    ];
    const deny = { deny: ['Bash(rm:*)', 'Read(.env)'], allow: ['Bash'] };
    expect(await judged(denied, { rules: deny, mode: 'bypassPermissions' })).toEqual(all('deny', denied));
    const files = ['cat .env', 'cat < .env', 'cat src/../.env', 'node x.js --file=.env', 'cd src && cat ../.env', 'cp .env x'];
    expect(await judged(files, { rules: deny })).toEqual(all('deny', files));
  });

  it('an exact rule allows exactly that line', async () => {
    const rule = { allow: ['Bash(cd /tmp && make install)', 'Bash(sudo systemctl restart x)'] };
    expect(await judged(['cd /tmp && make install', 'sudo systemctl restart x', 'sudo systemctl restart x y'], { rules: rule })).toEqual([
      'allow: cd /tmp && make install',
      'allow: sudo systemctl restart x',
      'ask: sudo systemctl restart x y',
    ]);
  });

  it('asks about reading whole trees when some files are forbidden', async () => {
    expect(await judged(['grep -r KEY .', 'rg KEY', 'grep KEY src/a.ts', 'cat src/a.ts'], { rules: { deny: ['Read(.env)'] } })).toEqual([
      'ask: grep -r KEY .',
      'ask: rg KEY',
      'allow: grep KEY src/a.ts',
      'allow: cat src/a.ts',
    ]);
  });
});

it('acceptEdits takes writes inside, and nothing that could lie elsewhere', async () => {
  const allowed = ['mkdir -p src/new', 'touch a', 'cp src/a.ts b', 'mv b c', 'echo x > out', 'cd src && touch b'];
  const asked = [
    'cp src/a.ts ../b',
    'mv a link/b',
    'touch dangling',
    'echo x > .git/hooks/pre-commit',
    'cp -r src x',
    'rm a',
    'touch $X',
    'echo x > $X',
    'cp /etc/passwd a',
    'cp src/a.ts trap',
  ];
  expect(await judged(allowed, { mode: 'acceptEdits' })).toEqual(all('allow', allowed));
  expect(await judged(asked, { mode: 'acceptEdits' })).toEqual(all('ask', asked));
});

it('suggests the narrowest useful rule, or none', async () => {
  const { bash } = asker(project);
  const suggested = async (command: string) => {
    const decision = await bash(command);
    return decision.type === 'ask' ? decision.rules : decision.type;
  };
  expect(await suggested('npm run test -- -u')).toEqual(['Bash(npm run test:*)']);
  expect(await suggested('git commit -m "x y"')).toEqual(['Bash(git commit:*)']);
  expect(await suggested('npm install && pytest -q')).toEqual(['Bash(npm install:*)', 'Bash(pytest:*)']);
  expect(await suggested('rm -rf "my dir"')).toEqual(['Bash(rm -rf "my dir")']);
  expect(await suggested('npm test; $X')).toEqual([]);
  expect(await suggested('rm *')).toEqual([]);
  expect(await suggested('timeout 9 cargo build')).toEqual(['Bash(cargo build:*)']);
});
