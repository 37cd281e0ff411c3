/** Rules that one block breaks by itself, wherever it stands. */
import { wireMedia } from '../content/media.js';
import { isBlank } from '../content/text.js';
import { checkStrings } from './check-strings.js';
import type { Report } from './problem.js';
import type { WireBlock, WireMessage } from './wire.js';

type Where = { readonly path: string; readonly role: WireMessage['role'] };

/** Source: messages-api, 2026-08-22; a call may name any tool, known or not. */
const CALL_NAME = /^[a-zA-Z0-9_-]{1,200}$/;
const CALL_ID = /^[a-zA-Z0-9_-]+$/;

export function checkBlock(block: WireBlock, where: Where, report: Report): void {
  const { path, role } = where;
  checkStrings(block, path, report);
  if (role === 'system' && block.type !== 'text') return report(path, 'block-type', `a system message holds text only, not ${block.type}`);
  switch (block.type) {
    case 'text':
      if (typeof block.text !== 'string' || isBlank(block.text)) report(path, 'blank-text', 'a text block must hold more than white space');
      return;
    case 'image':
    case 'document':
      if (wireMedia(block) === null) report(path, 'media', `the ${block.type} is broken, too large, or of a type that can't be sent`);
      return;
    case 'tool_use':
      return checkCall(block, where, report);
    case 'tool_result':
      if (role !== 'user') report(path, 'role', 'a tool_result block stands only in a user message');
      block.content.forEach((part, index) => {
        const at = `${path}.content.${index}`;
        if (part.type === 'text' || part.type === 'image' || part.type === 'document') checkBlock(part, { ...where, path: at }, report);
        else report(at, 'block-type', 'a tool_result block holds text, images and documents only');
      });
      return;
    case 'thinking':
    case 'redacted_thinking':
      if (role !== 'assistant') report(path, 'thinking-place', 'thinking stands only in assistant messages');
      if (block.type === 'thinking' && (typeof block.signature !== 'string' || block.signature === '')) {
        report(path, 'thinking-signature', 'thinking without its signature is refused');
      }
      return;
    default:
      return checkForeign(block, where, report);
  }
}

function checkCall(block: Extract<WireBlock, { type: 'tool_use' }>, { path, role }: Where, report: Report): void {
  if (role !== 'assistant') report(path, 'role', 'a tool_use block stands only in an assistant message');
  if (!CALL_ID.test(block.id)) report(path, 'call-shape', `the id of a call matches ${CALL_ID.source}: ${JSON.stringify(block.id)}`);
  if (!CALL_NAME.test(block.name))
    report(path, 'call-shape', `the name in a call matches ${CALL_NAME.source}: ${JSON.stringify(block.name)}`);
  const { input } = block;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) report(path, 'call-shape', 'the input of a call is an object');
}

/** Blocks that only one model knows go back to it as it returned them; nobody else makes any. */
function checkForeign(block: { readonly type: string }, { path, role }: Where, report: Report): void {
  if (role === 'assistant' && typeof block.type === 'string') return;
  report(path, 'block-type', `a message of the role ${role} holds no block of type ${JSON.stringify(block.type)}`);
}
