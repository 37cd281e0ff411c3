/** Checks values against the schemas in `docs/`: the part of JSON Schema that these use. */

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const part = (schema: Schema, key: string): Schema => {
  const found = schema[key];
  return isSchema(found) ? found : {};
};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** What does not fit, as `place: why`; empty when all does. */
export function misfits(value: unknown, root: unknown, schema: unknown = root, at = '$'): readonly string[] {
  if (!isSchema(schema) || !isSchema(root)) return [`${at}: no schema`];
  const { $ref, enum: choices, type, required, additionalProperties, items } = schema;
  if (typeof $ref === 'string') {
    const target = $ref
      .split('/')
      .slice(1)
      .reduce((found, key) => part(found, key), root);
    return misfits(value, root, target, at);
  }
  if (Array.isArray(choices) && !choices.includes(value)) return [`${at}: ${JSON.stringify(value)} is none of ${choices.join(', ')}`];
  if (type !== undefined && !listOf(type).includes(typeOf(value))) return [`${at}: is a ${typeOf(value)}`];
  if (Array.isArray(value)) return items === undefined ? [] : value.flatMap((item, index) => misfits(item, root, items, `${at}[${index}]`));
  if (!isSchema(value)) return [];
  const properties = part(schema, 'properties');
  return [
    ...listOf(required).flatMap((key) => (String(key) in value ? [] : [`${at}: has no ${String(key)}`])),
    ...Object.entries(value).flatMap(([key, item]) =>
      key in properties
        ? misfits(item, root, properties[key], `${at}.${key}`)
        : additionalProperties === false
          ? [`${at}: has ${key}, which the schema does not name`]
          : [],
    ),
  ];
}
