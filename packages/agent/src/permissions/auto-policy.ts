/** What auto mode adds to a person's own rules, as rules: what it runs unasked, and what it refuses. `docs/modes.md` says why. */
import { parseRule, type Rule } from './rule.js';

const scripts = ['test', 'build', 'lint', 'format', 'check', 'types', 'typecheck'];

/** Builds, tests and checks of a project, and what git keeps in the repository and can undo. */
export const AUTO_RUNS: readonly string[] = [
  ...['npm', 'pnpm', 'yarn', 'bun'].flatMap((tool) => [`${tool} test:*`, ...scripts.map((script) => `${tool} run ${script}*`)]),
  ...['vitest', 'jest', 'tsc', 'eslint', 'prettier', 'oxlint', 'oxfmt'].flatMap((tool) => [`${tool}:*`, `npx ${tool}:*`]),
  ...['build', 'check', 'test', 'clippy', 'fmt'].map((task) => `cargo ${task}:*`),
  ...['build', 'test', 'vet', 'fmt'].map((task) => `go ${task}:*`),
  ...['pytest', 'python -m pytest', 'python3 -m pytest', 'ruff', 'mypy', 'black', 'node --test', 'gofmt', 'make'].map(
    (tool) => `${tool}:*`,
  ),
  ...['build', 'test'].map((task) => `dotnet ${task}:*`),
  ...['git add', 'git commit', 'git mv', 'git switch', 'git checkout -b'].map((command) => `${command}:*`),
];

/** What destroys work, reaches others, or takes more rights. */
export const AUTO_REFUSES: readonly string[] = [
  ...['sudo', 'su', 'doas', 'pkexec', 'chown', 'dd', 'shred', 'shutdown', 'reboot', 'halt', 'crontab'].map((command) => `${command}:*`),
  'mkfs*',
  ...['-r', '-R', '-rf', '-fr', '-Rf', '-fR', '--recursive'].flatMap((option) => [`rm ${option}:*`, `rm * ${option}:*`]),
  ...['chmod -R', 'chmod --recursive'].map((command) => `${command}:*`),
  ...['--force', '-f', '--mirror', '--delete'].flatMap((option) => [`git push ${option}*`, `git push * ${option}*`]),
  ...['git reset --hard', 'git clean', 'git restore', 'git checkout --', 'git branch -D', 'git stash drop', 'git stash clear'].map(
    (command) => `${command}:*`,
  ),
  // Both throw away what is not committed; `-qf` and `--force-create` do, too.
  ...['git switch', 'git checkout', 'git mv'].flatMap((command) =>
    ['-*f*', '-C*', '--di*'].flatMap((option) => [`${command} ${option}`, `${command} * ${option}`]),
  ),
  ...['git filter-branch', 'git reflog expire', 'git gc'].map((command) => `${command}:*`),
  ...['npm publish', 'pnpm publish', 'yarn publish', 'yarn npm publish', 'cargo publish', 'twine upload', 'gem push', 'docker push'].map(
    (command) => `${command}:*`,
  ),
];

export type AutoRules = { readonly allow: readonly Rule[]; readonly deny: readonly Rule[] };

export function autoRules(where: { readonly cwd: string; readonly home: string }): AutoRules {
  const read = (list: 'allow' | 'deny', specs: readonly string[]): readonly Rule[] =>
    specs.flatMap((spec) => {
      const parsed = parseRule(`Bash(${spec})`, list, where);
      return parsed.ok ? [{ ...parsed.rule, text: `Bash(${spec}) of auto mode` }] : [];
    });
  return { allow: read('allow', AUTO_RUNS), deny: read('deny', AUTO_REFUSES) };
}
