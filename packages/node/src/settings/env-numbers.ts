/** Environment variables that hold a number: read in one place, so that one that holds something else can be said. */
import { envValue, twinOf } from './env-flags.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Longer timers fire at once in Node. */
const LONGEST = 2 ** 31 - 1;
const any = { from: 1, to: Number.MAX_SAFE_INTEGER } as const;
const time = { from: 1, to: LONGEST } as const;

/** What each of them may hold. */
const NUMBERS = {
  BASH_DEFAULT_TIMEOUT_MS: time,
  BASH_MAX_TIMEOUT_MS: time,
  CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: { from: 1, to: 100 },
  MAX_MCP_OUTPUT_TOKENS: any,
  MAX_THINKING_TOKENS: { from: 0, to: Number.MAX_SAFE_INTEGER },
  MCP_TIMEOUT: time,
  MCP_TOOL_TIMEOUT: time,
  SLASH_COMMAND_TOOL_CHAR_BUDGET: any,
} as const;

export type EnvNumber = keyof typeof NUMBERS;

/** Whole; what stands behind the point is dropped. Undefined when it is not set, or holds something that counts for nothing. */
export function envNumber(env: Env, name: EnvNumber): number | undefined {
  const text = envValue(env, name);
  const value = Math.floor(Number(text));
  const { from, to } = NUMBERS[name];
  return text !== undefined && text.trim() !== '' && value >= from && value <= to ? value : undefined;
}

/** One line for each variable that is set and counts for nothing. */
export function badNumbers(env: Env): readonly string[] {
  return (Object.keys(NUMBERS) as readonly EnvNumber[]).flatMap((name) => {
    const text = envValue(env, name);
    if (text === undefined || envNumber(env, name) !== undefined) return [];
    const { from, to } = NUMBERS[name];
    const range = to >= LONGEST ? `from ${from} on` : `from ${from} to ${to}`;
    const set = env[twinOf(name)] ? twinOf(name) : name;
    return [`${set}=${text.slice(0, 40)} has no effect: it takes a number ${range}`];
  });
}
