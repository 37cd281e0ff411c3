/** Tool inputs: one declaration gives the JSON schema for the model, the type, and a check whose messages help the model. */
import type { ToolSpec } from '@sidenote/engine';
import type { Parsed } from './tool.js';

/** One named input. `read` gives the value, or undefined when what was sent doesn't fit. */
export interface Field<T> {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Goes into messages: `a string`. */
  readonly what: string;
  readonly required: boolean;
  read(value: unknown): { readonly value: T } | undefined;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type InputOf<F extends Fields> = { readonly [Key in keyof F]: F[Key] extends Field<infer T> ? T : never };

export interface InputReader<Input> {
  readonly schema: ToolSpec['input_schema'];
  /** Unknown fields are passed over. */
  parse(value: unknown): Parsed<Input>;
}

const described = (description: string | undefined): { readonly description?: string } =>
  description === undefined ? {} : { description };

export function text(description?: string): Field<string> {
  return {
    schema: { type: 'string', ...described(description) },
    what: 'a string',
    required: true,
    read: (value) => (typeof value === 'string' ? { value } : undefined),
  };
}

/** A whole number; one that comes as a numeric string is taken. */
export function integer(limits: { readonly min: number }, description?: string): Field<number> {
  return {
    schema: { type: 'integer', ...described(description) },
    what: `a whole number, ${limits.min} or more`,
    required: true,
    read(value) {
      const number = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
      return typeof number === 'number' && Number.isSafeInteger(number) && number >= limits.min ? { value: number } : undefined;
    },
  };
}

export function flag(description?: string): Field<boolean> {
  return {
    schema: { type: 'boolean', ...described(description) },
    what: 'true or false',
    required: true,
    read(value) {
      if (value === 'true' || value === 'false') return { value: value === 'true' };
      return typeof value === 'boolean' ? { value } : undefined;
    },
  };
}

/** An object of any members; one that comes as JSON in a string is taken. */
export function members(description?: string): Field<Readonly<Record<string, unknown>>> {
  return {
    schema: { type: 'object', ...described(description) },
    what: 'an object',
    required: true,
    read(value) {
      const object = typeof value === 'string' ? fromJson(value) : value;
      return typeof object === 'object' && object !== null && !Array.isArray(object) ? { value: { ...object } } : undefined;
    },
  };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function choice<const T extends string>(values: readonly T[], description?: string): Field<T> {
  return {
    schema: { type: 'string', enum: values, ...described(description) },
    what: `one of ${values.join(', ')}`,
    required: true,
    read(value) {
      const found = values.find((one) => one === value);
      return found === undefined ? undefined : { value: found };
    },
  };
}

/** A list; one that comes as JSON in a string is taken. */
export function list<T>(item: Field<T>, description?: string): Field<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema, ...described(description) },
    what: `a list, each of it ${item.what}`,
    required: true,
    read(value) {
      const items: unknown = typeof value === 'string' ? fromJson(value) : value;
      if (!Array.isArray(items)) return undefined;
      const read = items.map((one: unknown) => item.read(one));
      return read.every((one) => one !== undefined) ? { value: read.map((one) => one.value) } : undefined;
    },
  };
}

/** An object of named inputs. */
export function group<F extends Fields>(fields: F): Field<InputOf<F>> {
  const { schema, parse } = inputOf('', fields);
  const names = Object.entries(fields).map(([name, { what, required }]) => `${name} (${what}${required ? '' : ', optional'})`);
  return {
    schema,
    what: `an object with ${names.join(', ')}`,
    required: true,
    read(value) {
      const parsed = parse(value);
      return parsed.ok ? { value: parsed.input } : undefined;
    },
  };
}

/** May be left out; null counts as left out. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return {
    ...field,
    required: false,
    read: (value) => (value === undefined || value === null ? { value: undefined } : field.read(value)),
  };
}

/** Puts fields together to what a tool takes. */
export function inputOf<F extends Fields>(tool: string, fields: F): InputReader<InputOf<F>> {
  const names = Object.keys(fields);
  const required = names.filter((name) => fields[name]?.required);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
    },
    parse(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return { ok: false, message: `${tool} takes an object with ${names.join(', ')}` };
      }
      const sent = new Map<string, unknown>(Object.entries(value));
      const input: Record<string, unknown> = {};
      const wrong: string[] = [];
      for (const [name, field] of Object.entries(fields)) {
        const read = field.read(sent.get(name));
        if (read !== undefined) input[name] = read.value;
        else if (sent.has(name)) wrong.push(`${name} must be ${field.what}, not ${shown(sent.get(name))}`);
        else wrong.push(`${name} is missing (${field.what})`);
      }
      const unknown = [...sent.keys()].filter((name) => !Object.hasOwn(fields, name));
      if (wrong.length > 0 && unknown.length > 0) wrong.push(`${tool} takes ${names.join(', ')}; it does not know ${unknown.join(', ')}`);
      return wrong.length > 0 ? { ok: false, message: wrong.join('; ') } : { ok: true, input: input as InputOf<F> };
    },
  };
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 60).toWellFormed()}…` : json;
}
