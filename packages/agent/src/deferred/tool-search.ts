/** `ToolSearch`: the definitions of tools that are not in the request. */
import { nearest } from '@sidenote/node';
import { inputOf, integer, optional, text } from '../tools/input.js';
import { refused, said } from '../tools/outcome.js';
import type { AnyTool, Tool } from '../tools/tool.js';
import type { DeferredTools } from './deferred-tools.js';
import { defined, definitionText } from './definitions.js';
import { searchTools } from './search-tools.js';

export type ToolSearchInput = { readonly query: string; readonly max_results: number | undefined };

const DEFAULT_RESULTS = 5;
const MOST_RESULTS = 50;
/** Characters of definitions in one answer; the first is always given. */
const LONGEST_ANSWER = 60_000;
/** Milliseconds that a search without a hit waits for what is still being connected. */
const PATIENCE = 10_000;

export function toolSearchTool(deferred: DeferredTools): Tool<ToolSearchInput> {
  const input = inputOf('ToolSearch', {
    query: text('words, +word for one that must occur, or select:name,name'),
    max_results: optional(integer({ min: 1 }, `default ${DEFAULT_RESULTS}`)),
  });
  const known = (): readonly AnyTool[] => deferred.groups().flatMap(({ tools }) => tools ?? []);
  return {
    spec: {
      name: 'ToolSearch',
      description: 'Find tools that are not in your list. Gives their definitions; call them with CallTool.',
      input_schema: input.schema,
    },
    access: 'read',
    parse: input.parse,
    title: ({ query }) => `ToolSearch ${query}`,
    async run({ query, max_results }, { signal }) {
      const most = Math.min(max_results ?? DEFAULT_RESULTS, MOST_RESULTS);
      let found = searchTools(known(), query, { most });
      if (found.count === 0 || found.missing.length > 0) {
        await deferred.settled({ ms: PATIENCE, signal });
        found = searchTools(known(), query, { most });
      }
      const { tools, missing } = found;
      const absent = missing.map((name) => missingText(name, known()));
      if (tools.length === 0) return refused([...absent, overview(deferred)].join('\n'));
      const shown = fitting(tools.slice(0, MOST_RESULTS));
      const count = shown.length === found.count ? '' : `${found.count} tools match, the ${shown.length} best are:\n`;
      const lines = shown.map(({ spec }) => definitionText(spec));
      return said([...absent, `${count}${lines.join('\n')}`].join('\n'), { effects: [defined(shown.map(({ spec }) => spec))] });
    },
  };
}

function fitting(tools: readonly AnyTool[]): readonly AnyTool[] {
  let length = 0;
  const end = tools.findIndex(({ spec }, index) => (length += definitionText(spec).length) > LONGEST_ANSWER && index > 0);
  return end === -1 ? tools : tools.slice(0, end);
}

function missingText(name: string, tools: readonly AnyTool[]): string {
  const near = nearest(
    name,
    tools.map(({ spec }) => spec.name),
  );
  return `There is no tool ${name}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** What there is, for a search that found nothing. */
function overview(deferred: DeferredTools): string {
  const groups = deferred.groups();
  if (groups.length === 0) return 'There are no further tools.';
  const parts = groups.map(({ name, tools }) => (tools === null ? `${name} (not connected)` : `${name} (${tools.length} tools)`));
  return `No tool matches. Searched: ${parts.join(', ')}.`;
}
