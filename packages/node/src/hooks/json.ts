/** Small questions to values that came from outside. */
import { messageOf, type Json } from '@sidenote/engine';

export type JsonObject = Readonly<Record<string, Json>>;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type Leading =
  /** `rest`: what stands behind it, trimmed. */
  { readonly type: 'object'; readonly value: JsonObject; readonly rest: string } | { readonly type: 'malformed'; readonly why: string };

/** The object that a text begins with, whatever follows it. */
export function leadingObject(text: string): Leading {
  const whole = parsed(text);
  if ('value' in whole && isObject(whole.value)) return { type: 'object', value: whole.value, rest: '' };
  const end = endOfObject(text);
  if (end !== undefined) {
    const first = parsed(text.slice(0, end));
    if ('value' in first && isObject(first.value)) return { type: 'object', value: first.value, rest: text.slice(end).trim() };
  }
  return { type: 'malformed', why: 'why' in whole ? whole.why : 'it is no object' };
}

function parsed(text: string): { readonly value: Json } | { readonly why: string } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { why: messageOf(error).split('\n')[0] ?? '' };
  }
}

/** Behind the brace that closes the first one; braces in strings don't count. */
function endOfObject(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}
