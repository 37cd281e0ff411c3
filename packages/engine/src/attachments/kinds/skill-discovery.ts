/** Which skills fit the words that were just typed: with the first words of a session, and again for skills that came since. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import { strings, member } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { ownWords } from '../parts/own-words.js';
import { listedIn } from '../parts/skill-effects.js';
import { nothingTouched, touch, type Touched } from '../parts/touched.js';

type Told = {
  /** Skills that earlier words could have been meant for. */
  readonly known: Set<string>;
  /** Listed since the person's last words. */
  readonly fresh: Set<string>;
  readonly touched: Touched;
};
type Data = { readonly names: readonly string[] };

/** Skills that are named at once. */
const MOST = 3;
/** Characters of the words that are looked at. */
const WORDS = 4_000;

export const skillDiscovery = defineAttachment({
  kind: 'skill_discovery',
  version: 1,
  needs: ['skills'],
  group: 'input',
  wait: 'must',
  trust: 'user',
  tool: 'Skill',
  told: discoveryFold(),
  decode(data) {
    const told = strings(member(data, 'names'));
    return told === undefined ? undefined : { names: told };
  },
  async collect(moment, told, { skills }) {
    const words = moment.prompts.flatMap(ownWords).join('\n').slice(0, WORDS).toWellFormed().trim();
    // Words that begin with a slash have chosen for themselves.
    if (words === '' || words.startsWith('/')) return { type: 'nothing' };
    const reading = await skills.read(told.touched.paths, moment.signal);
    if (reading.type === 'unavailable') return { type: 'nothing' };
    const among = reading.value.filter(({ name }) => !told.known.has(name));
    if (among.length === 0) return { type: 'nothing' };
    const found = (await skills.search(words, among, moment.signal)).slice(0, MOST);
    return found.length === 0 ? { type: 'nothing' } : { type: 'new', data: { names: found } };
  },
  render: (data: Data) => ({
    content: [
      {
        type: 'text',
        text: `By their descriptions these skills may fit the request: ${data.names.join(', ')}. Load one if it does.`,
      },
    ],
  }),
  title: (data) => `skills that may fit: ${names(data.names)}`,
  reason: () => 'their descriptions share words with the prompt',
});

function discoveryFold(): Fold<Told> {
  return {
    name: 'skill-discovery',
    scope: 'chain',
    on: ['user', 'tool_result', 'attachment'],
    initial: () => ({ known: new Set(), fresh: new Set(), touched: nothingTouched() }),
    step(state, record) {
      if (record.type === 'user') {
        if (record.origin !== 'human') return state;
        for (const name of state.fresh) state.known.add(name);
        state.fresh.clear();
        return state;
      }
      touch(state.touched, record);
      if (isKind(record, 'skill_discovery')) for (const name of strings(member(record.data, 'names')) ?? []) state.known.add(name);
      if (!isKind(record, 'skill_listing')) return state;
      const listed = listedIn(record).flatMap(([name, digest]) => (digest === null ? [] : [name]));
      // What was listed beside someone's words was searched with them.
      const into = record.delivery.type === 'before-prompt' ? state.known : state.fresh;
      for (const name of listed) into.add(name);
      return state;
    },
  };
}
