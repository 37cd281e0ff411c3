/** File types that a search can be narrowed to, by the short names that ripgrep made common. */
const types: Readonly<Record<string, readonly string[]>> = {
  c: ['*.c', '*.h'],
  cpp: ['*.cpp', '*.cc', '*.cxx', '*.hpp', '*.hh', '*.hxx', '*.h'],
  cs: ['*.cs'],
  css: ['*.css', '*.scss', '*.sass', '*.less'],
  dart: ['*.dart'],
  docker: ['Dockerfile*', '*.dockerfile'],
  elixir: ['*.ex', '*.exs'],
  go: ['*.go'],
  haskell: ['*.hs'],
  html: ['*.html', '*.htm'],
  java: ['*.java'],
  js: ['*.js', '*.jsx', '*.mjs', '*.cjs', '*.vue'],
  json: ['*.json', '*.jsonl', '*.jsonc', '*.json5'],
  kotlin: ['*.kt', '*.kts'],
  lua: ['*.lua'],
  make: ['Makefile*', 'makefile', 'GNUmakefile', '*.mk'],
  md: ['*.md', '*.mdx', '*.markdown'],
  php: ['*.php'],
  py: ['*.py', '*.pyi'],
  rb: ['*.rb', 'Gemfile', 'Rakefile', '*.gemspec'],
  rust: ['*.rs'],
  scala: ['*.scala'],
  sh: ['*.sh', '*.bash', '*.zsh', '*.fish'],
  sql: ['*.sql'],
  svelte: ['*.svelte'],
  swift: ['*.swift'],
  toml: ['*.toml'],
  ts: ['*.ts', '*.tsx', '*.mts', '*.cts'],
  txt: ['*.txt'],
  vue: ['*.vue'],
  xml: ['*.xml'],
  yaml: ['*.yaml', '*.yml'],
};

const aliases: Readonly<Record<string, string>> = {
  javascript: 'js',
  markdown: 'md',
  python: 'py',
  ruby: 'rb',
  typescript: 'ts',
  tsx: 'ts',
  jsx: 'js',
  yml: 'yaml',
};

/** The globs of a type; undefined for an unknown one. */
export const globsOfType = (type: string): readonly string[] | undefined => types[aliases[type] ?? type];

export const knownTypes = (): readonly string[] => Object.keys(types);
