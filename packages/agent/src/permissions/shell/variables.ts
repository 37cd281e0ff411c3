/** Variables that a command line may set without changing which program runs, or what it loads. */

const exported = new Set([
  'CI', 'COLUMNS', 'DEBUG', 'FORCE_COLOR', 'GOARCH', 'GOOS', 'LANG', 'LANGUAGE', 'LINES', 'NODE_ENV', 'NO_COLOR',
  'PYTHONDONTWRITEBYTECODE', 'PYTHONUNBUFFERED', 'RUST_BACKTRACE', 'RUST_LOG', 'TERM', 'TZ', 'CLICOLOR',
]); // prettier-ignore

/** May stand before a command: `CI=1 npm test`. `PATH`, `LD_PRELOAD`, `NODE_OPTIONS`, `GIT_…` and the like may not. */
export function isHarmlessExport(name: string): boolean {
  return exported.has(name) || /^LC_[A-Z]+$/.test(name);
}

/** May be a variable of the script itself: lower case, and none that programs read from the environment. */
export function isHarmlessLocal(name: string): boolean {
  return isHarmlessExport(name) || (/^[a-z][a-z0-9_]*$/.test(name) && !/proxy|^npm_|^histchars$|^auto_resume$|^path$/.test(name));
}
