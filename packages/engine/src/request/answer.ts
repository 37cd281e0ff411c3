/** A model's answer on its way back: byte for byte, except for what the provider would refuse. */
import { isBlank } from '../content/text.js';
import type { AssistantRecord } from '../transcript/records.js';
import type { PlaceContext } from './place-context.js';
import type { WireBlock } from './wire.js';

/** A call as it goes out. Its id differs from the model's only when the provider would refuse that one. */
export type OpenCall = { readonly id: string; readonly wireId: string; readonly name: string };
export type PlacedAnswer = { readonly content: WireBlock[]; readonly calls: readonly OpenCall[] };

/**
 * Left out: blank text (refused), unsigned thinking, thinking of another model (can't be read), and what
 * `losesThinking` says. Foreign blocks go back only to the model that made them.
 */
export function placeAnswer(record: AssistantRecord, context: PlaceContext): PlacedAnswer {
  const calls: OpenCall[] = [];
  const same = record.asked === context.model;
  const thinks = same && context.profile.thinking !== 'none' && !context.losesThinking(record);
  const content = record.message.content.flatMap((block): WireBlock[] => {
    switch (block.type) {
      case 'text':
        return 'text' in block && typeof block.text === 'string' && !isBlank(block.text) ? [block as WireBlock] : [];
      case 'thinking':
        return thinks && 'signature' in block && typeof block.signature === 'string' && block.signature !== '' ? [block as WireBlock] : [];
      case 'redacted_thinking':
        return thinks ? [block as WireBlock] : [];
      case 'tool_use': {
        const call = placeCall(block, context);
        calls.push(call.open);
        return [call.block];
      }
      default:
        return same ? [block as WireBlock] : [];
    }
  });
  return { content: content.length > 0 ? content : [{ type: 'text', text: '(no text)' }], calls };
}

function placeCall(block: { readonly type: string }, context: PlaceContext): { readonly block: WireBlock; readonly open: OpenCall } {
  const { id, name, input } = { id: '', name: '', input: {}, ...block } as { id: unknown; name: unknown; input: unknown };
  const modelId = String(id);
  const wireId = freeId(modelId.replaceAll(/[^a-zA-Z0-9_-]/g, '_') || 'call', context.ids);
  const wireName =
    String(name)
      .replaceAll(/[^a-zA-Z0-9_-]/g, '_')
      .slice(0, 200) || 'unknown';
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const unchanged = wireId === id && wireName === name && isObject;
  const wire = unchanged ? (block as WireBlock) : { type: 'tool_use' as const, id: wireId, name: wireName, input: isObject ? input : {} };
  return { block: wire, open: { id: modelId, wireId, name: wireName } };
}

/** Ids must be unique in a request, also when a model counts anew after a resume. */
function freeId(id: string, taken: Set<string>): string {
  let free = id;
  for (let n = 2; taken.has(free); n++) free = `${id}_${n}`;
  taken.add(free);
  return free;
}
