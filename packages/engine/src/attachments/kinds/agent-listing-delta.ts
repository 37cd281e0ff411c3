/** Types of sub-agents that can be started: told once, and again only what was added, changed or taken away since. */
import type { Json } from '../../content/content.js';
import { head } from '../../content/text.js';
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import type { Listed } from '../ports.js';
import { fitting, member, strings } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { charactersIn } from '../parts/room.js';

type Entry = readonly [name: string, version: string];
type Kept = { readonly told: readonly Entry[]; readonly removed: readonly string[] };
type Data = {
  readonly added: readonly Listed[];
  readonly changed: readonly Listed[];
  readonly removed: readonly string[];
  readonly kept: Kept;
};

/** Characters of one description, and of all of one message. */
const LONGEST = 400;
const MOST = 12_000;

export const agentListingDelta = defineAttachment({
  kind: 'agent_listing_delta',
  version: 1,
  needs: ['agents', 'digest'],
  group: 'thread',
  tool: 'Agent',
  wait: 'may',
  trust: 'user',
  again: 'again',
  told: toldFold(),
  decode: keptOf,
  async collect(moment, told, { agents, digest }) {
    const reading = await agents.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const now = new Map(reading.value.map((agent) => [agent.name, { agent, version: digest(agent.description).slice(0, 8) }]));
    const gone = [...told.keys()].filter((name) => !now.has(name));
    const news = [...now.values()].filter(({ agent, version }) => told.get(agent.name) !== version);
    const entries = news.map(({ agent, version }): Entry => [agent.name, version]);
    // What finds no place in the record comes with the next message.
    const room = fitting([...gone.map((name): Entry => [name, '']), ...entries]).length;
    if (room === 0) return { type: 'nothing' };
    const removed = gone.slice(0, room);
    const fresh = news.slice(0, room - removed.length).map(({ agent }) => agent);
    return {
      type: 'new',
      data: {
        added: fresh.filter(({ name }) => !told.has(name)),
        changed: fresh.filter(({ name }) => told.has(name)),
        removed,
        kept: { told: entries.slice(0, fresh.length), removed },
      },
    };
  },
  render({ added, changed, removed }: Data, room) {
    const share = Math.floor(Math.min(MOST, charactersIn(room)) / Math.max(1, added.length + changed.length));
    const most = Math.min(LONGEST, Math.max(20, share));
    const line = ({ name, description }: Listed) => `- ${name}: ${fitted(description, most)}`;
    const cut = [...added, ...changed].filter(({ description }) => oneLine(description).length > most).length;
    const text = [
      ...(added.length === 0 ? [] : [`Types of agents that the Agent tool can start:\n${added.map(line).join('\n')}`]),
      ...(changed.length === 0 ? [] : [`Described anew:\n${changed.map(line).join('\n')}`]),
      ...(removed.length === 0 ? [] : [`No longer there: ${removed.join(', ')}.`]),
    ].join('\n\n');
    return { content: [{ type: 'text', text }], ...(cut === 0 ? {} : { cut: `the end of ${cut} descriptions of agents` }) };
  },
  keep: ({ kept }) => ({ told: kept.told, removed: kept.removed }),
  title: ({ added, changed, removed }) =>
    [
      ...(added.length === 0 ? [] : [`agents: ${names(added.map(({ name }) => name))}`]),
      ...(changed.length === 0 ? [] : [`agents changed: ${names(changed.map(({ name }) => name))}`]),
      ...(removed.length === 0 ? [] : [`agents gone: ${names(removed)}`]),
    ].join('; '),
  reason: ({ added, changed, removed }) =>
    changed.length + removed.length === 0 && added.length > 0 ? 'not told yet in this window' : 'the types of agents changed',
});

/** Fold: what is known of each type, by the version of its description. */
function toldFold(): Fold<Map<string, string>> {
  return {
    name: 'agent-listing',
    scope: 'window',
    on: ['attachment'],
    initial: () => new Map(),
    step(state, record) {
      if (!isKind(record, 'agent_listing_delta')) return state;
      const kept = keptOf(record.data);
      for (const [name, version] of kept?.told ?? []) state.set(name, version);
      for (const name of kept?.removed ?? []) state.delete(name);
      return state;
    },
  };
}

function keptOf(data: Json): Kept | undefined {
  const told = member(data, 'told');
  if (!Array.isArray(told)) return undefined;
  const entries = told.flatMap((entry): Entry[] => {
    const [name, version] = strings(entry) ?? [];
    return name === undefined || version === undefined ? [] : [[name, version]];
  });
  return { told: entries, removed: strings(member(data, 'removed')) ?? [] };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function fitted(description: string, most: number): string {
  const line = oneLine(description);
  return line.length <= most ? line : `${head(line, most - 1)}…`;
}
