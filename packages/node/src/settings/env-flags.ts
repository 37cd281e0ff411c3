/** Environment variables under their known names, each with a `SIDENOTE_` twin that wins. */

type Env = Readonly<Record<string, string | undefined>>;

/** `CLAUDE_CODE_X` and `CLAUDE_X` have the twin `SIDENOTE_X`, any other `X` too. Not for `CLAUDE_CONFIG_DIR`: ours is another folder. */
export function twinOf(name: string): string {
  return `SIDENOTE_${name.replace(/^CLAUDE_(CODE_)?/, '')}`;
}

/** The variable's value, or its twin's where that is set. An empty value counts as not set. */
export function envValue(env: Env, name: string): string | undefined {
  return env[twinOf(name)] || env[name] || undefined;
}

/** Whether the variable, or its twin where that is set, says 1, true, yes or on. */
export function envFlag(env: Env, name: string): boolean {
  return ['1', 'true', 'yes', 'on'].includes(envValue(env, name)?.trim().toLowerCase() ?? '');
}
