/** Inputs of tool calls that a model wrote as text. They must be objects, since requests can't hold anything else. */
import { isFields } from './fields.js';

/** Under this key stands what the model wrote when it was no JSON object. No tool knows it: their `parse` refuses the call. */
export const unreadableKey = 'unreadable_input';

/** An object in any case; `{}` for no text at all. */
export function readToolInput(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch {
    // Not JSON: kept as it is.
  }
  return { [unreadableKey]: text };
}

/** What to tell a model whose call can't be read; null when the input is an ordinary one. */
export function unreadableInput(input: unknown): string | null {
  if (!isFields(input) || typeof input[unreadableKey] !== 'string') return null;
  return 'The input of this call was not a complete JSON object, so nothing was run. Send the call again with valid JSON; if it was very long, do it in smaller parts.';
}
