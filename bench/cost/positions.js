/** A request as the provider's cache sees it: one list of positions, each with a key over everything up to it. */
import { createHash } from 'node:crypto';

/** @import { MessagesBody, ToolSpec, WireBlock } from '@sidenote/engine' */

/**
 * @typedef {object} Position
 * @property {string} key Equal only if all before is equal too, marks aside.
 * @property {number} tokens Its own.
 * @property {'5m' | '1h' | null} mark
 */

/** An estimate, the same for everything that is compared. */
const charactersPerToken = 3.5;
const imageTokens = 1_500;

/**
 * Tools, system, messages: the order of the prefix. Model and all other parameters are part of every key.
 * @param {MessagesBody} body @returns {Position[]}
 */
export function positionsOf(body) {
  const { tools, system, messages, ...parameters } = body;
  let key = digest('', parameters);
  /** @param {object} block @param {number} tokens @param {string} role */
  const position = (block, tokens, role) => {
    key = digest(`${key} ${role}`, block);
    return { key, tokens, mark: markOf(block) };
  };
  return [
    ...tools.map((tool) => position(tool, tokensOfTool(tool), 'tool')),
    ...system.map((block) => position(block, tokensOfBlock(block), 'system')),
    ...messages.flatMap(({ role, content }) =>
      content.map((/** @type {WireBlock} */ block) => position(block, tokensOfBlock(block), role)),
    ),
  ];
}

/** @param {ToolSpec} tool */
export function tokensOfTool({ name, description, input_schema }) {
  return tokens(name.length + description.length + JSON.stringify(input_schema).length);
}

/** @param {WireBlock} block @returns {number} */
export function tokensOfBlock(block) {
  switch (block.type) {
    case 'text':
      return tokens(block.text.length);
    case 'tool_use':
      return tokens(block.name.length + JSON.stringify(block.input).length);
    case 'tool_result':
      return block.content.reduce((sum, part) => sum + tokensOfBlock(part), 0);
    case 'image':
      return imageTokens;
    default:
      return tokens(JSON.stringify(block).length);
  }
}

/** @param {number} characters */
const tokens = (characters) => Math.ceil(characters / charactersPerToken);

/** @param {string} before @param {object} block */
const digest = (before, block) =>
  createHash('sha256')
    .update(`${before}\0${bare(block)}`)
    .digest('hex');

/** JSON without marks. @param {object} value */
const bare = (value) => JSON.stringify(value, (name, inner) => (name === 'cache_control' ? undefined : inner));

/** @param {{ readonly cache_control?: { readonly ttl?: '5m' | '1h' } }} block */
const markOf = ({ cache_control }) => (cache_control === undefined ? null : (cache_control.ttl ?? '5m'));
