/** One line of `--input-format stream-json`: a prompt, something that is not ours, or a mistake that is named. */
import { messageOf, type Content, type Id } from '@sidenote/engine';

export type PromptLine =
  /** `piped`: text that goes along, before the person's own words. `steered`: the words of each block stand in the session's queue under these ids. */
  | { readonly type: 'prompt'; readonly content: readonly Content[]; readonly piped?: string; readonly steered?: readonly Id[] }
  /** A line of a kind that print mode has no use for. */
  | { readonly type: 'ignored'; readonly kind: string }
  /** A prompt that can't be asked; what follows it can. */
  | { readonly type: 'unusable'; readonly why: string }
  /** No line of this format: what follows is hardly one. */
  | { readonly type: 'bad'; readonly why: string };

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function blockOf(value: unknown): Content | undefined {
  if (!isObject(value)) return undefined;
  if (value['type'] === 'text' && typeof value['text'] === 'string') return { type: 'text', text: value['text'] };
  const source = value['source'];
  if ((value['type'] === 'image' || value['type'] === 'document') && isObject(source) && typeof source['type'] === 'string') {
    return { type: value['type'], source: { ...source, type: source['type'] } };
  }
  return undefined;
}

/** `{"type":"user","message":{"role":"user","content":"…" | [blocks]}}`. */
export function readPromptLine(line: string): PromptLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { type: 'bad', why: `not JSON: ${line.slice(0, 60)} (${messageOf(error)})` };
  }
  if (!isObject(value) || typeof value['type'] !== 'string') return { type: 'bad', why: 'a line needs a "type"' };
  if (value['type'] !== 'user') return { type: 'ignored', kind: value['type'] };
  const message = value['message'];
  if (!isObject(message) || message['role'] !== 'user')
    return { type: 'unusable', why: 'a user line needs a "message" of the role "user"' };
  const content = message['content'];
  if (typeof content === 'string') {
    return content.trim() === ''
      ? { type: 'unusable', why: 'the prompt is empty' }
      : { type: 'prompt', content: [{ type: 'text', text: content }] };
  }
  if (!Array.isArray(content) || content.length === 0) return { type: 'unusable', why: '"content" must be a string or a list of blocks' };
  const blocks: Content[] = [];
  for (const [index, block] of content.entries()) {
    const known = blockOf(block);
    if (known === undefined) return { type: 'unusable', why: `content[${index}] is no text, image or document block` };
    blocks.push(known);
  }
  return { type: 'prompt', content: blocks };
}

export const textBlocks = (text: string | undefined): readonly Content[] => (text === undefined ? [] : [{ type: 'text', text }]);

/** The text of a prompt that is nothing but text. */
export function onlyText(content: readonly Content[]): string | undefined {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length === content.length ? texts.join('\n') : undefined;
}
