/** The field `hooks` of front matter: kept as it was written, and looked through for what would not run. */
import { isObject } from '../hooks/json.js';
import type { OwnHooks } from '../hooks/own-hooks.js';
import type { Definition } from './definition.js';

export type HooksField = {
  readonly hooks?: OwnHooks;
  /** One line each, of the field. */
  readonly problems: readonly string[];
};

/** Where nothing is written, nothing is loaded. */
export async function hooksField(
  { fields, lineOf }: Pick<Definition, 'fields' | 'lineOf'>,
  at: Pick<OwnHooks, 'file' | 'layer'>,
): Promise<HooksField> {
  const value = fields['hooks'];
  if (value === undefined || value === null) return { problems: [] };
  if (!isObject(value)) return { problems: ['`hooks` is no table of hooks by event; it was left out'] };
  const { readOwnHooks } = await import('../hooks/own-hooks.js');
  const hooks = { ...at, line: lineOf('hooks'), events: value };
  return { hooks, problems: readOwnHooks(hooks).problems };
}
