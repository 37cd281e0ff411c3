/** A file that defines something (a skill, a command): fields in front, a text behind them, and where each field stands. */
import type { Json } from '@sidenote/engine';
import { longestYaml, yamlFields } from './yaml-fields.js';

export type Definition = {
  /** As YAML gives them. Empty when there is no front matter, or when it can't be read. */
  readonly fields: Readonly<Record<string, Json>>;
  /** Without front matter; line ends are `\n`. */
  readonly body: string;
  /** Line of a field in the file, from 1; 1 when it isn't there. */
  lineOf(field: string): number;
  /** Why the front matter counts for nothing. */
  readonly problem?: { readonly line: number; readonly message: string };
};

/** Never rejects: where the front matter is beyond reading, the text still counts. */
export async function definitionOf(text: string): Promise<Definition> {
  const source = text.replace(/\r\n?/g, '\n');
  const found = /^\s*---[ \t]*\n([^]*?)(?<=\n)---[ \t]*(?:\n|$)/.exec(source);
  if (found === null) {
    const open = /^\s*---[ \t]*\n/.test(source) && /^[\w-]+[ \t]*:/m.test(source.split(/\n[ \t]*\n/)[0] ?? '');
    const problem = { line: 1, message: 'its front matter has no closing ---' };
    return { fields: {}, body: source, lineOf: () => 1, ...(open ? { problem } : {}) };
  }
  const yaml = found[1] ?? '';
  const first = source.slice(0, source.indexOf('---')).split('\n').length + 1;
  const lineOf = (field: string): number => {
    const at = yaml.split('\n').findIndex((line) => line.startsWith(`${field}:`));
    return at < 0 ? 1 : first + at;
  };
  const body = source.slice(found[0].length);
  if (yaml.length > longestYaml) {
    const message = `its front matter has ${yaml.length} characters; ${longestYaml} are allowed`;
    return { fields: {}, body, lineOf, problem: { line: first, message } };
  }
  const fields = plainFields(yaml) ?? (await yamlFields(yaml));
  if (fields === undefined) return { fields: {}, body, lineOf, problem: { line: first, message: 'its front matter is not valid YAML' } };
  return { fields, body, lineOf };
}

/** Most front matter is `name: words`, one per line: no parser is loaded for that. Undefined: it takes one. */
function plainFields(yaml: string): Record<string, Json> | undefined {
  const fields: Record<string, Json> = {};
  for (const line of yaml.split('\n').map((one) => one.trimEnd())) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value] = /^([A-Za-z][\w-]*):[ \t]+([^\s].*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    if (value === 'true' || value === 'false') fields[name] = value === 'true';
    else if (isPlain(value)) fields[name] = value;
    else return undefined;
  }
  return fields;
}

/** A text to any YAML parser, as it stands. */
function isPlain(value: string): boolean {
  return /^\p{L}/u.test(value) && !/: | #|:$/.test(value) && !/^(yes|no|on|off|null|nan|true|false)$/i.test(value);
}
