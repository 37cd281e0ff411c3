/** What "allow for this session" would remember of a command: the narrowest rule that is still of use. */
import { commandPattern, grants } from './command-pattern.js';
import type { ShellWord } from './word.js';

/** How many words name what one of these does; `run` and the like take one more. */
const subcommands = new Set([
  'git', 'npm', 'pnpm', 'yarn', 'bun', 'cargo', 'go', 'docker', 'podman', 'kubectl', 'make', 'just', 'task', 'gh', 'uv', 'poetry', 'pip',
  'mvn', 'gradle', 'dotnet', 'swift', 'terraform', 'brew', 'npx', 'deno', 'rake', 'mix', 'composer', 'helm',
]); // prettier-ignore
const deeper = new Set(['run', 'compose', 'exec', 'x', 'pr', 'issue', 'run-script']);
/** Whatever follows, these do the same kind of harmless work. */
const whole = new Set([
  'pytest',
  'vitest',
  'jest',
  'mocha',
  'tsc',
  'eslint',
  'prettier',
  'oxlint',
  'oxfmt',
  'biome',
  'ruff',
  'mypy',
  'rspec',
  'phpunit',
  'ctest',
]);

function prefix(words: readonly string[]): readonly string[] | null {
  const [name, second, third] = words;
  if (name === undefined) return null;
  if (whole.has(name)) return [name];
  const isName = (word: string | undefined): word is string => word !== undefined && /^[a-zA-Z][\w:./@-]*$/.test(word);
  if (!subcommands.has(name) || !isName(second)) return null;
  if (deeper.has(second)) return isName(third) ? [name, second, third] : null;
  return [name, second];
}

/** `Bash(npm run test:*)`, or the command exactly as it stands; null when it can't be remembered. */
export function suggestRule(words: readonly ShellWord[]): string | null {
  const head = words.map((word) => (word.glob ? null : word.value));
  const known = head.slice(0, head.indexOf(null) < 0 ? head.length : head.indexOf(null)).map((value) => value ?? '');
  const start = prefix(known);
  if (start !== null) return `Bash(${start.join(' ')}:*)`;
  const spec = words.map((word) => word.text).join(' ');
  const safe = known.length === words.length && !/[*\n]/.test(spec) && grants(commandPattern(spec), words);
  return safe ? `Bash(${spec})` : null;
}
