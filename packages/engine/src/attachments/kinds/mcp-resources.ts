/** Resources of MCP servers that someone's words name as `@server:uri`: shown at once. */
import type { Content } from '../../content/content.js';
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, type Room } from '../contract.js';
import type { ResourceMention, ResourceReading } from '../ports.js';
import { fitting, member } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { ownWords } from '../parts/own-words.js';
import { charactersIn, fitLines } from '../parts/room.js';

type Item = { readonly mention: ResourceMention; readonly reading: ResourceReading };
type Data = { readonly items: readonly Item[] };

/** Every mention asks for the resource as it is now, so nothing has to be remembered. */
const nothingTold: Fold<object> = { name: 'mcp-resources', scope: 'window', on: [], initial: () => ({}), step: (state) => state };

export const mcpResources = defineAttachment({
  kind: 'mcp_resources',
  version: 1,
  needs: ['mcpResources'],
  group: 'input',
  wait: 'must',
  trust: 'third-party',
  told: nothingTold,
  decode: (data) => (Array.isArray(member(data, 'items')) ? data : undefined),
  async collect(moment, _told, { mcpResources: port }) {
    const found = moment.prompts.flatMap(ownWords).flatMap((text) => port.find(text));
    const unique = [...new Map(found.map((mention) => [`${mention.server}:${mention.uri}`, mention])).values()];
    if (unique.length === 0) return { type: 'nothing' };
    const items = await Promise.all(unique.map(async (mention) => ({ mention, reading: await port.read(mention, moment.signal) })));
    return moment.signal.aborted ? { type: 'unavailable', why: 'interrupted' } : { type: 'new', data: { items } };
  },
  render({ items }: Data, room) {
    const told = tellAll(items, room);
    const cut = told.flatMap(({ name, left }) => (left > 0 ? [`${left} lines of ${name}`] : []));
    return { content: told.flatMap(({ content }) => content), ...(cut.length === 0 ? {} : { cut: cut.join(', ') }) };
  },
  keep: ({ items }) => ({ items: fitting(items.map(({ mention: { server, uri } }) => ({ server, uri }))) }),
  title: ({ items }) => `resources: ${names(items.map(titleOf))}`,
  reason: ({ items }) => (items.length === 1 ? 'the prompt names it' : 'the prompt names them'),
});

const nameOf = ({ server, uri }: ResourceMention): string => `${server}:${uri}`;

function titleOf({ mention, reading }: Item): string {
  return reading.type === 'resource' ? nameOf(mention) : `${nameOf(mention)} (${reading.why})`;
}

type Told = { readonly name: string; readonly content: readonly Content[]; readonly left: number };

/** In their order, each with what the ones before it left of the room. */
function tellAll(items: readonly Item[], room: Room): readonly Told[] {
  let characters = charactersIn(room);
  return items.map(({ mention, reading }) => {
    const name = nameOf(mention);
    if (reading.type === 'unusable')
      return {
        name,
        content: [{ type: 'text', text: `The resource ${name}, which the user mentioned, is not shown: ${reading.why}.` }],
        left: 0,
      };
    let left = 0;
    const content = reading.content.map((block): Content => {
      if (block.type !== 'text') return block;
      const fit = fitLines(block.text, { characters, rest: 'ReadMcpResource gives all of it' });
      characters = Math.max(0, characters - fit.text.length);
      left += fit.left;
      return { type: 'text', text: fit.text };
    });
    return { name, content: [{ type: 'text', text: `The resource ${name}, which the user mentioned:` }, ...content], left };
  });
}
