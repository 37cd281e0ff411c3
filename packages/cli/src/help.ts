/** The text of `sidenote --help`, made from the table of flags. */
import { FLAG_NAMES, FLAGS, type Flag } from './flags/flag-table.js';

function line(name: string, flag: Flag): string {
  const value = flag.value === undefined ? '' : flag.kind === 'optional' ? ` [${flag.value}]` : ` <${flag.value}>`;
  const left = `${flag.short === undefined ? '    ' : `-${flag.short}, `}--${name}${value}`;
  return `  ${left.padEnd(38)} ${flag.help}`;
}

/** The whole text. */
export function help(): string {
  const flags = FLAG_NAMES.map((name) => line(name, FLAGS[name]));
  return `Sidenote: a terminal coding agent that shows what its model sees.

  sidenote [prompt]                 interactive session in this directory
  sidenote -p "prompt"              one headless run; the answer on standard output
  sidenote context [prompt]         what would be sent for this directory: no key, no model
  sidenote lint                     what is wrong with files and settings that get injected
  sidenote diff [session] [n]       request n against the one before it: what was appended, what moved
  sidenote sessions                 sessions of this directory: list, show, export, prune
  sidenote mcp                      MCP servers: list, add, remove, login, logout
  sidenote doctor                   versions, paths, settings and where they come from
  sidenote --model demo             a short tour, offline

Flags
${flags.join('\n')}

Environment
  ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL,
  SIDENOTE_CONFIG_DIR (default ~/.sidenote), SIDENOTE_THEME (light, dark), NO_COLOR

Exit status: 0 done, 1 error, 2 wrong usage, 130 interrupted
`;
}
