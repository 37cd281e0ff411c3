/** Arguments and variables in the text of a skill: `$ARGUMENTS`, `$0`, `$ARGUMENTS[1]`, `$name`, `${CLAUDE_SKILL_DIR}`. */

export type Substitution = {
  /** As typed behind the name. */
  readonly args: string;
  /** Names by position. */
  readonly names: readonly string[];
  /** By name, without `CLAUDE_` or `SIDENOTE_`: `SKILL_DIR`, `SESSION_ID` … */
  readonly variables: Readonly<Record<string, string>>;
};

/** At spaces; what stands in quotes is one, and a backslash makes the next character plain. */
export function splitArguments(args: string): readonly string[] {
  const parts = args.match(/(?:"(?:\\[^]|[^"\\])*"|'[^']*'|\\[^]|[^\s"'\\]|["'\\])+/g) ?? [];
  return parts.map((part) =>
    part.replace(/"((?:\\[^]|[^"\\])*)"|'([^']*)'|\\([^])/g, (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\([^])/g, '$1'),
    ),
  );
}

/** A price (`$5.00`) is no argument. Positions count from 0; of two digits only those that there are. */
const placeholder =
  /\\\$(?=ARGUMENTS\b|\d|\w)|\$ARGUMENTS(?:\[(\d+)\])?(?!\w)|\$(\d+)(?![\w]|[.,]\d)|\$\{(?:CLAUDE|SIDENOTE)_([A-Z_]+)\}|\$([A-Za-z_]\w*)/g;

/** One pass: what was put in is never looked into. `used`: whether the arguments were asked for. */
export function substitute(text: string, { args, names, variables }: Substitution): { readonly text: string; readonly used: boolean } {
  const list = splitArguments(args);
  let used = false;
  const put = (value: string): string => {
    used = true;
    return value;
  };
  const filled = text.replace(placeholder, (whole: string, index?: string, position?: string, variable?: string, name?: string) => {
    if (whole === '\\$') return '$';
    if (variable !== undefined) return Object.hasOwn(variables, variable) ? (variables[variable] ?? whole) : whole;
    if (index !== undefined) return put(list[Number(index)] ?? '');
    if (position !== undefined)
      return position.length > 1 && list[Number(position)] === undefined ? whole : put(list[Number(position)] ?? '');
    if (name === undefined) return put(args);
    const at = names.indexOf(name);
    return at < 0 ? whole : put(list[at] ?? '');
  });
  return { text: filled, used };
}
