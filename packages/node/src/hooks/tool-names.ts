/** Names that tools had before: what people wrote in rules, hooks and agents goes on to count. */

/** `Agent` was `Task`. */
const FORMER: Readonly<Record<string, string>> = { Task: 'Agent' };

/** The name of now. */
export function currentToolName(name: string): string {
  return Object.hasOwn(FORMER, name) ? (FORMER[name] ?? name) : name;
}

/** All names that hit this tool. */
export function toolNames(name: string): readonly string[] {
  return [name, ...Object.keys(FORMER).filter((former) => FORMER[former] === name)];
}
