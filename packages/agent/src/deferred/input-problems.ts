/** What of an input does not fit a JSON schema, in words that help a model: types, required and unknown members, closed lists. */

/** More would not help. */
const MOST = 5;
const DEEPEST = 20;

type Schema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Empty when nothing is wrong, and for what this does not look at: patterns, references and limits are the tool's own to check. */
export function inputProblems(schema: unknown, value: unknown): readonly string[] {
  const problems: string[] = [];
  look({ schema, value, path: '', depth: 0 }, problems);
  return problems.slice(0, MOST);
}

type Place = { readonly schema: unknown; readonly value: unknown; readonly path: string; readonly depth: number };

function look({ schema, value, path, depth }: Place, problems: string[]): void {
  if (!isObject(schema) || depth > DEEPEST || problems.length >= MOST) return;
  const name = path === '' ? 'the input' : path;
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    problems.push(`${name} must be ${types.join(' or ')}, not ${shown(value)}`);
    return;
  }
  const { enum: values, properties, required, items, additionalProperties } = schema;
  if (Array.isArray(values) && !values.some((one) => JSON.stringify(one) === JSON.stringify(value)))
    problems.push(`${name} must be one of ${values.slice(0, 20).map(shown).join(', ')}, not ${shown(value)}`);
  if (Array.isArray(value))
    value.forEach((item, index) => look({ schema: items, value: item, path: `${path}[${index}]`, depth: depth + 1 }, problems));
  if (!isObject(value)) return;
  const inside = (key: string): string => (path === '' ? key : `${path}.${key}`);
  for (const key of Array.isArray(required) ? required : [])
    if (typeof key === 'string' && !Object.hasOwn(value, key)) problems.push(`${inside(key)} is missing`);
  const known = isObject(properties) ? properties : {};
  for (const [key, member] of Object.entries(value)) {
    if (Object.hasOwn(known, key)) look({ schema: known[key], value: member, path: inside(key), depth: depth + 1 }, problems);
    else if (additionalProperties === false && schema['patternProperties'] === undefined) problems.push(`${inside(key)} is not known`);
  }
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 60).toWellFormed()}…` : json;
}
