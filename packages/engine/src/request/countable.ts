/** What of a block is counted: a signature is no text, and an image is no base64. */
import type { Content } from '../content/content.js';
import type { WireBlock } from './wire.js';

/** Text and media that stand for a block when its tokens are estimated. */
export function countable(block: WireBlock): readonly Content[] {
  switch (block.type) {
    case 'text':
    case 'image':
    case 'document':
      return [block];
    case 'tool_result':
      return block.content;
    case 'tool_use':
      return [{ type: 'text', text: block.name + JSON.stringify(block.input) }];
    case 'thinking':
      return [{ type: 'text', text: block.thinking }];
    case 'redacted_thinking':
      return [];
    default:
      // Blocks that a provider's own tools left in an answer.
      return [{ type: 'text', text: JSON.stringify(block) }];
  }
}
