/** Tools that are not in the request and can be searched for: which ones came and went since this thread was last told. */
import type { Json } from '../../content/content.js';
import type { Fold } from '../../transcript/fold.js';
import type { Effect } from '../../transcript/records.js';
import { defineAttachment, isKind, type Room } from '../contract.js';
import type { ToolGroup } from '../ports.js';
import { fitting, member, strings } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { charactersIn } from '../parts/room.js';

/** What a thread knows of a group: its tools by name, or only that it has many (then a digest tells whether they changed). */
type Known = { readonly type: 'names'; readonly tools: ReadonlySet<string> } | { readonly type: 'many'; readonly digest: string };
type Told = Map<string, Known>;

type Change = {
  readonly group: string;
  /** Empty for a group that is gone. */
  readonly tools: readonly string[];
  readonly digest: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The thread was told of this group without names, so a difference has none either. */
  readonly many: boolean;
};
type Data = { readonly changes: readonly Change[]; readonly first: boolean };

/** Names in one message; past these the largest groups are one line each. */
const MOST_NAMES = 500;
const FIRST = 'More tools can be used than those in your list. ToolSearch finds them and gives their definitions.';
const LATER = 'The tools that ToolSearch finds are other ones now.';

export const deferredToolsDelta = defineAttachment({
  kind: 'deferred_tools_delta',
  version: 1,
  needs: ['deferredTools', 'digest'],
  tool: 'ToolSearch',
  group: 'thread',
  wait: 'may',
  trust: 'third-party',
  told: toldFold(),
  decode: (data) => (Array.isArray(member(data, 'groups')) ? data : undefined),
  async collect(moment, told, { deferredTools, digest }) {
    const reading = await deferredTools.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const changes = changesIn(reading.value, told, digest);
    return changes.length === 0 ? { type: 'nothing' } : { type: 'new', data: { changes, first: told.size === 0 } };
  },
  render({ changes, first }: Data, room) {
    const told = tellAll(changes, room);
    const cut = told.flatMap(({ change, asMany }) =>
      asMany && !change.many ? [`the names of ${count(change.tools.length)} of ${change.group}`] : [],
    );
    const text = [first ? FIRST : LATER, ...told.map(({ line }) => line)].join('\n');
    return { content: [{ type: 'text', text }], ...(cut.length === 0 ? {} : { cut: cut.join(', ') }) };
  },
  keep: ({ changes }) => ({ groups: fitting(changes.map(({ group }) => group)) }),
  effects: ({ changes }, room) => [{ type: 'tools', value: { groups: tellAll(changes, room).map(effectOf) } }],
  title: ({ changes }) => `tools to search for: ${names(changes.map(titleOf))}`,
  reason: ({ first }) => (first ? 'not told yet in this window' : 'some came or went'),
});

function changesIn(groups: readonly ToolGroup[], told: Readonly<Told>, digestOf: (text: string) => string): readonly Change[] {
  const changes = groups.flatMap(({ name, tools }): readonly Change[] => {
    const known = told.get(name);
    if (tools === null || (known === undefined && tools.length === 0)) return [];
    const many = known?.type === 'many';
    if (known?.type === 'many' && known.digest === digestOf(tools.join('\n'))) return [];
    const before = known?.type === 'names' ? known.tools : new Set<string>();
    const now = new Set(tools);
    const added = many ? [] : tools.filter((tool) => !before.has(tool));
    const removed = [...before].filter((tool) => !now.has(tool));
    if (!many && added.length + removed.length === 0) return [];
    return [{ group: name, tools, digest: digestOf(tools.join('\n')), added, removed, many }];
  });
  const here = new Set(groups.map(({ name }) => name));
  const gone = [...told].flatMap(([group, known]): readonly Change[] => {
    if (here.has(group)) return [];
    const removed = known.type === 'names' ? [...known.tools] : [];
    return [{ group, tools: [], digest: '', added: [], removed, many: known.type === 'many' }];
  });
  return [...changes, ...gone].toSorted((a, b) => (a.group < b.group ? -1 : 1));
}

type Line = { readonly change: Change; readonly line: string; readonly asMany: boolean };

/** By names as far as they fit, the largest groups without; what has no room even so is told another time. */
function tellAll(changes: readonly Change[], room: Room): readonly Line[] {
  const characters = charactersIn(room) - LATER.length - FIRST.length;
  const asMany = new Set(changes.filter(({ many }) => many));
  const lines = (): readonly Line[] =>
    changes.map((change) => ({ change, line: lineOf(change, asMany.has(change)), asMany: asMany.has(change) }));
  for (const change of changes.toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    const named = changes.reduce((sum, one) => sum + (asMany.has(one) ? 0 : sizeOf(one)), 0);
    if (named <= MOST_NAMES && lengthOf(lines()) <= characters) break;
    asMany.add(change);
  }
  let left = characters;
  return lines().filter(({ line }) => (left -= line.length + 1) >= 0);
}

const sizeOf = ({ added, removed }: Change): number => added.length + removed.length;
const lengthOf = (lines: readonly Line[]): number => lines.reduce((sum, { line }) => sum + line.length + 1, 0);
const count = (tools: number): string => `${tools} ${tools === 1 ? 'tool' : 'tools'}`;

function lineOf({ group, tools, added, removed }: Change, asMany: boolean): string {
  if (tools.length === 0) return asMany ? `- ${group}: its tools are gone` : `- ${group}: gone: ${removed.join(', ')}`;
  if (asMany) return `- ${group}: ${count(tools.length)}, too many to be named here`;
  const parts = [added.length === 0 ? '' : added.join(', '), removed.length === 0 ? '' : `gone: ${removed.join(', ')}`];
  return `- ${group}: ${parts.filter((part) => part !== '').join('; ')}`;
}

function titleOf({ group, tools, added, removed, many }: Change): string {
  if (tools.length === 0) return `${group} (gone)`;
  if (many) return `${group} (${count(tools.length)})`;
  const parts = [added.length === 0 ? '' : `+${added.length}`, removed.length === 0 ? '' : `−${removed.length}`];
  return `${group} (${parts.filter((part) => part !== '').join(' ')})`;
}

function effectOf({ change: { group, tools, digest, added, removed }, asMany }: Line): Json {
  if (tools.length === 0) return { group, gone: true };
  return asMany ? { group, digest } : { group, added, removed };
}

function toldFold(): Fold<Told> {
  return {
    name: 'deferred-tools',
    scope: 'window',
    on: ['attachment'],
    initial: () => new Map(),
    step(told, record) {
      if (isKind(record, 'deferred_tools_delta')) for (const group of groupsIn(record.effects)) see(told, group);
      return told;
    },
  };
}

function groupsIn(effects: readonly Effect[]): readonly Json[] {
  return effects.flatMap((effect) => {
    const groups = effect.type === 'tools' ? member(effect.value, 'groups') : undefined;
    return Array.isArray(groups) ? groups : [];
  });
}

function see(told: Told, value: Json): void {
  const group = member(value, 'group');
  if (typeof group !== 'string') return;
  const digest = member(value, 'digest');
  if (member(value, 'gone') === true) return void told.delete(group);
  if (typeof digest === 'string') return void told.set(group, { type: 'many', digest });
  const before = told.get(group);
  const tools = new Set(before?.type === 'names' ? before.tools : []);
  for (const tool of strings(member(value, 'removed')) ?? []) tools.delete(tool);
  for (const tool of strings(member(value, 'added')) ?? []) tools.add(tool);
  told.set(group, { type: 'names', tools });
}
